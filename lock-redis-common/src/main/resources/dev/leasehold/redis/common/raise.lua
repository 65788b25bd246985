-- Sets the fence of a lock to a larger one, if the token has the lock.
--
-- KEYS[1] lock   KEYS[2] fence
-- ARGV[1] token  ARGV[2] fence
--
-- Reply: 1 if the fence is at least this now; 0 not the token's.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
local last = redis.call('GET', KEYS[2]) or '0'
if not string.match(last, '^%d+$') or tonumber(ARGV[2]) >= 9007199254740990 then
  return redis.error_reply('ERR ' .. KEYS[2] .. ' is no fence: ' .. last .. ', or ' .. ARGV[2] .. ' is none')
end
if tonumber(last) < tonumber(ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[2], 'PX', 86400000)
end
return 1
