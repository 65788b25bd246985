-- Counts the permits of a semaphore, and those held. After permits.lua.
--
-- KEYS as in permits.lua
--
-- Reply: number of permits (0: the name is not in use), and how many are held. Expired permits are freed.
local free, held = sweep()
if not free then return { 0, 0 } end
return { free + held, held }
