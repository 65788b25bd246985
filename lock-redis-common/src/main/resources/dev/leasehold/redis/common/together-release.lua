-- Releases several locks, and passes each to the first of its waiters that listens. After marks.lua and
-- pass-on.lua.
--
-- KEYS[1] to KEYS[m] locks   KEYS[m + 1] to KEYS[2m] their waiters
-- ARGV[1] to ARGV[3] as ARGV[2], ARGV[5] and ARGV[6] of pass.lua
-- ARGV[3i + 1] token of KEYS[i]  ARGV[3i + 2] its channel prefix  ARGV[3i + 3] its message
--
-- Reply: for each lock 0 not the token's, nothing was changed; else as in pass.lua. An error if one of them can't be
-- read: the others are released all the same.
local m = (#ARGV - 3) / 3

local replies = {}
local mine = {}
local failed
for i = 1, m do
  local v = unmarked(redis.pcall('GET', KEYS[i]))
  replies[i] = 0
  if type(v) == 'table' then
    failed = v
  elseif v == ARGV[3 * i + 1] or v == '+' .. ARGV[3 * i + 1] then
    mine[#mine + 1] = KEYS[i]
    replies[i] = 1
  end
end
if #mine > 0 then redis.call('DEL', unpack(mine)) end

-- Usually none of them has waiters.
if redis.call('EXISTS', unpack(KEYS, m + 1, 2 * m)) > 0 then
  for i = 1, m do
    if replies[i] == 1 then
      local waiters = KEYS[m + i]
      local ways = {
        command = ARGV[1], prefix = ARGV[3 * i + 2], message = ARGV[3 * i + 3], counts = ARGV[2], kept = ARGV[3]
      }
      replies[i] = pass_on(KEYS[i], waiters, ways, function() return first_of(waiters) end)
    end
  end
end
return failed or replies
