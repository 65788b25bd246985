-- The end of the scripts that begin with guard.lua: records the vote once the lock is
-- granted, unless usual.lua found it on record, so that a refused request writes nothing. It has no keys.
--
-- Reply: that of the script which it ends; a number above 0, or a list that begins with one, is a grant.
end
local reply = vote()
local first = type(reply) == 'table' and reply[1] or reply
if note_vote and type(first) == 'number' and first > 0 then note_vote() end
return reply
