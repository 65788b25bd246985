-- Releases a share of a lock with several holders if the token has it, and serves the queue. After line.lua.
--
-- ARGV[1] token  ARGV[2] mode  ARGV[3] to ARGV[7] as ARGV[9] to ARGV[13] of several-acquire.lua
-- ARGV[8], ARGV[9] the last fencing number used, and the last one drawn; may be missing
--
-- Reply: 0 not the token's; 1 released; 3 released, and a share is reserved for a waiter that was woken. Expired
-- entries are removed, and the queue is served, in any case.
local mark = mark_of(ARGV[2], ARGV[1])
if mark then
  drop(ARGV[2], ARGV[1], mark)
  if mark == '' and ARGV[8] then give_back(ARGV[8], ARGV[9]) end
end
local woke = serve(ways_from(3))
if not mark then return 0 end
return woke > 0 and 3 or 1
