-- Gives back the numbers that were set aside for a writer's hand-overs and not used. After readwrite.lua.
--
-- KEYS[5] fences
-- Reply: that of the rest of the release.
--
-- Only if no number was drawn since: a release may arrive late.
local function give_back(used, given)
  local fences = redis.pcall('HMGET', KEYS[5], 'fence', 'wfence')
  if fences[1] == given and fences[2] == given then
    redis.pcall('HSET', KEYS[5], 'fence', used, 'wfence', used)
  end
end
