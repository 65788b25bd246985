-- What scripts that read a fence begin with. A fence is 'V', or 'V+r' where the numbers V + 1 to V + r are the
-- holder's as well, for hand-overs.

-- The last number of a fence; nil if it is none.
local function last_number(fence)
  -- Digits alone: to Lua 'nan', 'inf' and '0x1f' are numbers too.
  local first, more = string.match(type(fence) == 'string' and fence or '', '^(%d+)%+?(%d*)$')
  return first and tonumber(first) + (tonumber(more) or 0)
end

local function fence_text(first, more)
  -- All digits: tostring would write fewer.
  return string.format(more > 0 and '%.0f+%.0f' or '%.0f', first, more)
end

local most = 9007199254740990 -- 2^53 - 2: below it a Lua number is exact, and one more is, too
