-- The usual acquisition, in as few commands as it takes: the lock was free, the client neither stands in the queue nor
-- asks for more numbers, and the fence is a plain number drawn within this hour. After marks.lua and take-set.lua or take-setnx.lua, before the files that handle
-- all cases.
--
-- KEYS, ARGV and the reply as in acquire.lua and fence.lua
--
-- The fence rises to the server's time in microseconds, or to a quorum's proposal, at most a second ahead of it (as
-- not_ahead in numbers.lua). INCRBY keeps the key's time to live, which fence.lua sets to a
-- day and an hour, so it is left to fence.lua once an hour. INCRBY also refuses what is no fence, or is a marked one,
-- though tonumber may accept it; and a user without the right to it gets the number from fence.lua.
local alone = not ARGV[3] or (ARGV[3] == '0' and ARGV[4] == '0')
if taken and alone and not (may_mark(ARGV[1]) and redis.call('EXISTS', KEYS[3]) == 1) then
  local last = tonumber(redis.pcall('GET', KEYS[2]))
  if last then
    local t = redis.call('TIME')
    local now = t[1] * 1000000 + t[2]
    local ahead = math.max(now, math.min(tonumber(ARGV[8] or 0) or 0, now + 1000000)) - last
    if ahead > 0 and last % 3600000000 + ahead < 3600000000 then
      local v = redis.pcall('INCRBY', KEYS[2], ahead)
      if type(v) == 'number' then return v end
    end
  end
end
