-- Renews the time to live of the locks that the tokens have. Never shortens one. After marks.lua.
--
-- KEYS[i] lock
-- ARGV[2i - 1] its token  ARGV[2i] time to live, ms
--
-- Reply: for each lock 1 renewed, 0 not the token's, or the error's text.
local replies = {}
for i = 1, #KEYS do
  local v = unmarked(redis.pcall('GET', KEYS[i]))
  if type(v) == 'table' then
    replies[i] = v['err']
  elseif v ~= ARGV[2 * i - 1] then
    replies[i] = 0
  else
    -- Written even if it is longer already, so that WAIT has a write to wait for.
    redis.call('PEXPIRE', KEYS[i], math.max(redis.call('PTTL', KEYS[i]), ARGV[2 * i]))
    replies[i] = 1
  end
end
return replies
