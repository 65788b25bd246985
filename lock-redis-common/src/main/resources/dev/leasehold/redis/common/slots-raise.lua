-- Raises the fences of a token's slots, if it has them. After permits.lua, numbers.lua and slots.lua.
--
-- KEYS[5] slots
-- ARGV[1] token  ARGV[2] fence  ARGV[3] how many numbers after it are the holder's
--
-- Reply: 1 if the last number is at least this now; 0 not the token's.
if mark_of('1', ARGV[1]) ~= '' then return 0 end
local last = ARGV[2] + ARGV[3]
if last >= most then return redis.error_reply('ERR ' .. ARGV[2] .. ' is no fence') end
for slot in string.gmatch(redis.call('HGET', KEYS[5], ARGV[1]) or '', '%d+') do
  local kept, strange = last_of({ slot })
  if strange then return redis.error_reply('ERR ' .. KEYS[5] .. ' has no fences') end
  if (kept or 0) < last then redis.call('HSET', KEYS[5], 'f' .. slot, fence_text(last, 0)) end
end
return 1
