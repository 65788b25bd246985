-- Looks up the holder of a side of a read/write lock: the writer, or the reader with the longest remaining hold. After
-- sides.lua.
--
-- KEYS[1], KEYS[2] as in sides.lua   KEYS[3] fences
-- ARGV[1] 'r' or 'w'
--
-- Reply: nil if there is no holder, else holder (a writer without ':write'), time to live in ms (-1: none) and fence
-- (nil: none). Writes nothing.
local holder, longest = nil, -1
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local writer = string.match(all[i], '^(.*):write$')
  if all[i] ~= 'mode' and (ARGV[1] == 'w') == (writer ~= nil) then
    local rest = left(all[i], all[i + 1])
    if rest > longest then holder, longest = writer or all[i], rest end
  end
end
if not holder or redis.call('HEXISTS', KEYS[1], 'mode') == 0 then return false end
local fence = redis.call('HGET', KEYS[3], ARGV[1] == 'w' and 'wfence' or 'fence')
return { holder, longest < math.huge and longest or -1, fence }
