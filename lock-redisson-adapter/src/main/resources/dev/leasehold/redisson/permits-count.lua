-- How many permits a semaphore has, and how many of them are held. After permits.lua.
--
-- KEYS as permits.lua tells
--
-- Reply: number of permits (0: nobody uses the name), and how many are held. What is over is freed.
local free, held = sweep()
if not free then return { 0, 0 } end
return { free + held, held }
