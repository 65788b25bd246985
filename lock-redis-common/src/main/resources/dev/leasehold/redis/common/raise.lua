-- Raises the fence of a lock, after the part that checks that the token has the lock, and after numbers.lua.
--
-- KEYS[2] fence
-- ARGV[2] fence  ARGV[3] how many numbers after it are the holder's
--
-- Reply: 1 if the last number is at least this now; 0 not the token's.
local fence = redis.call('GET', KEYS[2]) or '0'
local last = last_number(fence)
local v, r = tonumber(ARGV[2]), tonumber(ARGV[3])
if not last or v + r >= most then
  return redis.error_reply('ERR ' .. KEYS[2] .. ' is no fence: ' .. fence .. ', or ' .. ARGV[2] .. ' is none')
end
if last < v + r then
  redis.call('SET', KEYS[2], fence_text(v, r, is_marked(fence)), 'PX', fence_ttl)
end
return 1
