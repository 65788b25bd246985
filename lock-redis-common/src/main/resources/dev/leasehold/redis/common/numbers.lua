-- What scripts that read a fence begin with. A fence is 'V', or 'V+r' where the numbers V + 1 to V + r are the
-- holder's as well, for hand-overs. 'V+0' or 'V+0r' where gone-mark.lua has marked it.

-- The last number of a fence; nil if it is none.
local function last_number(fence)
  -- Digits alone: to Lua 'nan', 'inf' and '0x1f' are numbers too.
  local first, more = string.match(type(fence) == 'string' and fence or '', '^(%d+)%+?(%d*)$')
  return first and tonumber(first) + (tonumber(more) or 0)
end

local function fence_text(first, more, marked)
  -- All digits: tostring would write fewer.
  if marked then return string.format(more > 0 and '%.0f+0%.0f' or '%.0f+0', first, more) end
  return string.format(more > 0 and '%.0f+%.0f' or '%.0f', first, more)
end

-- Whether tokens may have been released before an acquisition of theirs came. Older clients read such a fence as
-- any, and write it without the mark.
local function is_marked(fence)
  return string.find(fence, '+0', 1, true) ~= nil
end

local most = 9007199254740990 -- 2^53 - 2: below it a Lua number is exact, and one more is, too

-- A proposal that is more than a second ahead of the server is cut: a fast clock, or a busy client, must not lead
-- all fences away for ever. So are numbers for hand-overs, below.
local function not_ahead(proposed, now)
  return math.min(proposed, now + 1000000)
end

-- The fence of a new holder after the last number that was given, if any was: larger than that, also when the
-- counter is gone, since it is no smaller than the server's time in microseconds. And how many numbers after it
-- are the holder's, of those that it asked for.
local function next_numbers(last, now, proposed, asked)
  local v = math.max((last or 0) + 1, now, proposed)
  return v, math.max(0, math.min(asked, now + 1000000 - v, most - 1 - v))
end
