-- Renews the time to live of the locks that the tokens have. Never shortens one.
--
-- KEYS[i] lock
-- ARGV[2i - 1] its token  ARGV[2i] time to live, ms
-- ARGV[2 #KEYS + 1] '1': writes it even if it is longer already, so that WAIT has a write to wait for
--
-- Reply: for each lock 1 renewed, 0 not the token's, or the error's text.
local always = ARGV[2 * #KEYS + 1] == '1'
local replies = {}
for i = 1, #KEYS do
  local has = redis.pcall('HEXISTS', KEYS[i], ARGV[2 * i - 1])
  if type(has) == 'table' then
    replies[i] = has['err']
  else
    if has == 1 then
      local left = redis.call('PTTL', KEYS[i])
      local ttl = math.max(left, ARGV[2 * i])
      if always or left < ttl then redis.call('PEXPIRE', KEYS[i], ttl) end
    end
    replies[i] = has
  end
end
return replies
