-- Releases permits of a semaphore if the token has them. After permits.lua.
--
-- KEYS as in permits.lua
-- ARGV[1] token  ARGV[2] PUBLISH or SPUBLISH  ARGV[3] how many the token keeps; none if it is missing
--
-- Reply: 0 not the token's, or expired; 1 released; 2 released, and a client received the message.
local ids = permits_of(ARGV[1])
local returned = 0
for i = (ARGV[3] or 0) + 1, #ids do returned = returned + redis.call('ZREM', KEYS[2], ids[i]) end
local free = redis.call('GET', KEYS[1])
if returned > 0 and free then free = redis.call('INCRBY', KEYS[1], returned) end
local swept = sweep()
if not ids[1] then
  if swept and free and swept > tonumber(free) then notify(ARGV[2], swept) end
  return 0
end
return swept and notify(ARGV[2], swept) > 0 and 2 or 1
