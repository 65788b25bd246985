-- Sets the time to live of locks anew where the token has them. Never shortens one.
--
-- KEYS[i] lock
-- ARGV[2i - 1] its token  ARGV[2i] time to live, ms
--
-- Reply: for each lock 1 renewed, 0 not the token's, or the error's text.
local replies = {}
for i = 1, #KEYS do
  local has = redis.pcall('HEXISTS', KEYS[i], ARGV[2 * i - 1])
  if type(has) == 'table' then
    replies[i] = has['err']
  else
    if has == 1 then
      -- Written in any case, so that WAIT has something to wait for.
      redis.call('PEXPIRE', KEYS[i], math.max(redis.call('PTTL', KEYS[i]), ARGV[2 * i]))
    end
    replies[i] = has
  end
end
return replies
