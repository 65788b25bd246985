-- Between take-set.lua or take-setnx.lua and acquire.lua, where grants follow the order of arrival: who finds
-- the lock free, but came later than the first in the line, leaves it to that one. After pass-on.lua.
--
-- Who has waited is before those whose place is later: it may have missed its turn, and is out of the line. Who
-- asks for the first time is last, also if the clock went back.
--
-- A store that let a turn lapse which it had from here is not waited for again, however many of its waiters
-- are first: each is told, and comes back to its place if it lives.
--
-- On a node of a quorum a place is told by the proposal, which is the same on all of them. A holder that takes
-- a node too, besides its quorum, has waited for longer than anybody.
--
-- KEYS, ARGV as in acquire.lua, of which none is missing; ARGV[8] is '0' but for a node of a quorum
-- ARGV[9] to ARGV[13] as ARGV[2] to ARGV[6] in pass.lua
-- ARGV[14] the place in KEYS of the store that has its turn from here; there until somebody takes the lock
local late = KEYS[tonumber(ARGV[14])]
local mine, my_token = string.match(ARGV[5], '^([^:]*):?(.*)')
if taken then
  local t = redis.call('TIME')
  local place = (ARGV[8] == '0' and t[1] * 1000000 + t[2] or ARGV[8]) - ARGV[7]
  local slow = redis.pcall('GET', late)
  if not slow or slow == mine then slow = nil end
  local store
  local passed = pass_on(KEYS[1], KEYS[3], ways_from(9), function()
    local w = redis.pcall('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
    if not w[1] or w[1] == ARGV[5] or ARGV[7] ~= '0' and tonumber(w[2]) > place then return nil end
    store = string.match(w[1], '^[^:]*')
    return redis.pcall('ZPOPMIN', KEYS[3])[1]
  end, slow)
  taken = passed == 1
  if passed == 2 then redis.call('DEL', KEYS[1]) end -- it could not be kept: who was woken has to be fast
  if passed == 3 then
    redis.pcall('SET', late, store, 'PX', 4 * ARGV[13])
  else
    redis.call('DEL', late)
  end
elseif redis.pcall('GET', KEYS[1]) == '+' .. my_token then
  redis.call('DEL', late)
end
