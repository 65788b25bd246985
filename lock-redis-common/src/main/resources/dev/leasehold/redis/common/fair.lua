-- Between take-set.lua or take-setnx.lua and acquire.lua, for grants in the order of arrival: a request that finds the
-- lock free, but is behind the first waiter, leaves it to that waiter. After pass-on.lua.
--
-- A client that has waited goes before waiters whose places are later: it may have missed its turn and be out of the
-- queue. A first request is last, even if the clock went back.
--
-- A store that let a turn lapse is not waited for again, wherever its waiters stand: all of them are removed and
-- notified, and return to their places if the store is alive. The requesting store is alive: it loses only that one
-- place.
--
-- On a node of a quorum the proposal gives the place, so that it is the same on all nodes. A holder that acquires a
-- node in addition to its majority goes before every waiter. A waiter that let a turn lapse there may have lacked other
-- nodes: only that waiter loses its place.
--
-- Waiters of this store that left while the server could not be reached are listed: each would cost the others
-- ways.kept. (Removing all but the current waiters would not do: another one may have joined since.)
--
-- KEYS, ARGV as in acquire.lua, none missing; ARGV[8] is '0' except on a node of a quorum
-- ARGV[9] to ARGV[13] as ARGV[2] to ARGV[6] in pass.lua
-- ARGV[14] '1' if it has asked before   ARGV[15] how many waiters have left   ARGV[16]... these, as ARGV[5]
local function pass_over(ways, late)
  local store = string.match(late, '^[^:]*')
  if ARGV[8] ~= '0' or store == string.match(ARGV[5], '^[^:]*') then
    redis.pcall('ZREM', KEYS[3], late)
    return
  end
  for _, w in ipairs(redis.pcall('ZRANGE', KEYS[3], 0, 99)) do
    if string.match(w, '^[^:]*') == store then
      redis.pcall('ZREM', KEYS[3], w)
      notify(ways, w)
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
  if passed == 2 then redis.call('DEL', KEYS[1]) end -- the SET of the reservation failed: the woken waiter competes with others
end
