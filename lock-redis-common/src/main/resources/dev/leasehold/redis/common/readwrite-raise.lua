-- Raises the fences of a read/write lock on a node of a quorum, if the token has the side. After readwrite.lua and
-- numbers.lua.
--
-- KEYS[5] fences
-- ARGV[1] token  ARGV[2] mode  ARGV[3] fence  ARGV[4] how many numbers after it are the holder's
--
-- Reply: 1 if the last number is at least this now; 0 not the token's. While a reader has the lock here no writer draws
-- a number, so the numbers set aside for that reader are smaller than the next writer's.
if mark_of(ARGV[2], ARGV[1]) ~= '' then return 0 end
local fences = redis.call('HMGET', KEYS[5], 'fence', 'wfence')
local last = ARGV[3] + ARGV[4]
local kept, written = last_number(fences[1] or '0'), last_number(fences[2] or '0')
if not kept or not written or last >= most then
  return redis.error_reply('ERR ' .. KEYS[5] .. ' has no fences, or ' .. ARGV[3] .. ' is none')
end
if kept < last then redis.call('HSET', KEYS[5], 'fence', fence_text(last, 0)) end
if ARGV[2] == 'w' and written < last then redis.call('HSET', KEYS[5], 'wfence', fence_text(last, 0)) end
redis.call('PEXPIRE', KEYS[5], 86400000)
return 1
