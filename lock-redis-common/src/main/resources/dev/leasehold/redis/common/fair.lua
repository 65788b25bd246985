-- Between take-set.lua or take-setnx.lua and acquire.lua, where grants follow the order of arrival: who finds
-- the lock free, but came later than the first in the line, leaves it to that one. After pass-on.lua.
--
-- Who has waited is before those whose place is later: it may have missed its turn, and is out of the line. Who
-- asks for the first time is last, also if the clock went back.
--
-- A store that let a turn lapse is not waited for again, wherever its waiters stand: each is told, and comes
-- back to its place if it lives. A store that asks lives: it loses the one place alone.
--
-- On a node of a quorum a place is told by the proposal, which is the same on all of them. A holder that takes
-- a node too, besides its quorum, has waited for longer than anybody. Who let a turn lapse there may have lacked
-- other nodes: it alone loses its place.
--
-- Waiters of this store that left when the server could not be told are named: each would cost the others
-- ways.kept. (All but those that wait can't be taken out: one may have joined since.)
--
-- KEYS, ARGV as in acquire.lua, of which none is missing; ARGV[8] is '0' but for a node of a quorum
-- ARGV[9] to ARGV[13] as ARGV[2] to ARGV[6] in pass.lua
-- ARGV[14] '1' if it has asked before   ARGV[15] how many have left   ARGV[16]... these, as ARGV[5]
local function pass_over(ways, late)
  local store = string.match(late, '^[^:]*')
  if ARGV[8] ~= '0' or store == string.match(ARGV[5], '^[^:]*') then
    redis.pcall('ZREM', KEYS[3], late)
    return
  end
  for _, w in ipairs(redis.pcall('ZRANGE', KEYS[3], 0, 99)) do
    if string.match(w, '^[^:]*') == store then
      redis.pcall('ZREM', KEYS[3], w)
      tell(ways, w)
    end
  end
end

local left = tonumber(ARGV[15])
if left > 0 then
  local held = not taken and redis.call('GET', KEYS[1])
  for i = 16, 15 + left do
    redis.pcall('ZREM', KEYS[3], ARGV[i])
    if held and held == '+' .. string.match(ARGV[i], '^[^:]*:?(.*)') then
      redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      taken = true
    end
  end
end

if taken then
  local t = redis.call('TIME')
  local place = (ARGV[8] == '0' and t[1] * 1000000 + t[2] or ARGV[8]) - ARGV[7]
  local ways = ways_from(9)
  local passed = pass_on(KEYS[1], KEYS[3], ways, function()
    for _ = 1, 100 do
      local w, at = first_of(KEYS[3])
      if not w or w == ARGV[5] or ARGV[14] == '1' and at > place then return nil end
      if not had_turn(at) then return w, at end
      pass_over(ways, w)
    end
  end)
  taken = passed == 1
  if passed == 2 then redis.call('DEL', KEYS[1]) end -- it could not be kept: who was woken has to be fast
end
