-- The beginning of scripts that read a fence. A fence is 'V', or 'V+r' if the numbers V + 1 to V + r are set aside for
-- the holder's hand-overs. 'V+0' or 'V+0r' once gone-mark.lua has marked it.

-- The last number of a fence; nil if it is not a fence.
local function last_number(fence)
  -- Digits only: Lua also reads 'nan', 'inf' and '0x1f' as numbers.
  local first, more = string.match(type(fence) == 'string' and fence or '', '^(%d+)%+?(%d*)$')
  return first and tonumber(first) + (tonumber(more) or 0)
end

local function fence_text(first, more, marked)
  -- All digits: tostring would write fewer.
  if marked then return string.format(more > 0 and '%.0f+0%.0f' or '%.0f+0', first, more) end
  return string.format(more > 0 and '%.0f+%.0f' or '%.0f', first, more)
end

-- Whether tokens may have been released before their acquisition arrived. Older clients read such a fence as any other,
-- and write it without the mark.
local function is_marked(fence)
  return string.find(fence, '+0', 1, true) ~= nil
end

local fence_ttl = 90000000 -- ms: draw.lua renews it once an hour, so a fence lives for a day after its last grant
local most = 9007199254740990 -- 2^53 - 2: below it a Lua number is exact, and one more is, too

-- A proposal is capped at a second ahead of the server's clock: a fast clock, or a busy client, must not push all
-- fences ahead for ever. Numbers for hand-overs are capped likewise, below.
local function not_ahead(proposed, now)
  return math.min(proposed, now + 1000000)
end

-- The fence of a new holder, and how many of the requested numbers after it are the holder's. It is larger than the
-- last number drawn, if there is one, and no smaller than the server's time in microseconds: so it grows even if the
-- counter is lost.
local function next_numbers(last, now, proposed, asked)
  local v = math.max((last or 0) + 1, now, proposed)
  return v, math.max(0, math.min(asked, now + 1000000 - v, most - 1 - v))
end
