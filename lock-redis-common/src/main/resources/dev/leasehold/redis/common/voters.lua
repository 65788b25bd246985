-- What a node of a quorum remembers of its clients, and of those that it voted for. After history.lua; before
-- guard.lua and enter.lua.
--
-- A node that has lost its last second of writes may have voted in it for a client that had held no lease for a while,
-- and that can no longer reach the node to say so. So a client is recorded before it may acquire: the marker's field
-- 'clients' has a line 'longest since ends' for each longest lease of clients that entered, which they do again before
-- half of it has passed. No lease of theirs ends later than 'ends', server time in ms. 'since' is the marker's at the
-- time the first of them entered: if the marker's is now another one, the node may have lost locks of theirs. A client
-- that entered later does not make the node stay out.
--
-- The marker's field 'voters' has a line 'longest ends lists names' for each combination of longest lease and lists of
-- clients that it voted for: no lease that this node granted them ends later than 'ends', server time in ms. 'lists'
-- are the nodes of a client: of each the 'id' in its marker, or '?' while the client does not know it, separated by
-- commas; if one list is replacing another, both, separated by '|'. '-' if the client sends none. 'names' are their
-- addresses, for human readers.
--
-- An older version knows the field 'longest' alone, and only raises it. The field is a ms less than the longest lease
-- of both other fields: if it is not, a client of an older version raised it. (That ms is less than the drift allowance
-- by which every lease is shortened.)

-- Records a vote for such a client now. A line is written at most once a second.
local function votes_for(voters, now, longest, lists, names)
  local mine
  for _, v in ipairs(voters) do
    if v.longest == longest and v.lists == lists then mine = v end
  end
  if not mine then
    mine = { longest = longest, ends = 0, lists = lists }
    voters[#voters + 1] = mine
  end
  if mine.ends < now + longest then
    mine.ends, mine.names = now + longest + 1000, names
  end
end

-- Records that such a client enters now. Its end is twice its longest lease away: it enters again before half of that
-- lease has passed, and may get votes until then.
local function enters(clients, since, now, longest)
  local mine
  for _, c in ipairs(clients) do
    if c.longest == longest then mine = c end
  end
  if not mine then
    mine = { longest = longest, since = since }
    clients[#clients + 1] = mine
  end
  mine.ends = now + 2 * longest + 1000
end

-- The clients whose leases may still be valid: those that entered, and those that got votes. 'mark' has 'longest' as
-- its third field, 'voters' as its fifth and 'clients' as its sixth. An end is capped at what it would be if recorded
-- now: the clock may have been set back.
local function known_in(mark, now)
  local clients, voters, most = {}, {}, 0
  for longest, since, ends in string.gmatch(mark[6] or '', '(%d+) (%d+) (%d+)\n') do
    longest, since, ends = tonumber(longest), tonumber(since), tonumber(ends)
    most = math.max(most, longest)
    if ends > now then
      ends = math.min(ends, now + 2 * longest + 1000)
      clients[#clients + 1] = { longest = longest, since = since, ends = ends }
    end
  end
  for longest, ends, lists, names in string.gmatch(mark[5] or '', '(%d+) (%d+) (%S+) (%S+)\n') do
    longest, ends = tonumber(longest), tonumber(ends)
    most = math.max(most, longest)
    if ends > now then
      ends = math.min(ends, now + longest + 1000)
      voters[#voters + 1] = { longest = longest, ends = ends, lists = lists, names = names }
    end
  end
  local older = tonumber(mark[3] or 0)
  if older > 0 and older >= most then votes_for(voters, now, older, '-', '-') end
  return clients, voters
end

-- For how long after 'since' the node stays out, ms: the longest lease of the clients whose locks it may have lost, and
-- of the requesting client.
local function stays_out(clients, voters, since, own)
  for _, c in ipairs(clients) do
    if c.since ~= since then own = math.max(own, c.longest) end
  end
  for _, v in ipairs(voters) do own = math.max(own, v.longest) end
  return own
end

local function remember(key, mark, clients, voters)
  local longest, entered, voted = 1, {}, {}
  for i, c in ipairs(clients) do
    longest = math.max(longest, c.longest)
    entered[i] = string.format('%.0f %.0f %.0f\n', c.longest, c.since, c.ends)
  end
  for i, v in ipairs(voters) do
    longest = math.max(longest, v.longest)
    voted[i] = string.format('%.0f %.0f %s %s\n', v.longest, v.ends, v.lists, v.names)
  end
  entered, voted, longest = table.concat(entered), table.concat(voted), longest - 1
  if voted ~= (mark[5] or '') or entered ~= (mark[6] or '') or longest ~= tonumber(mark[3] or -1) then
    redis.call('HSET', key, 'voters', voted, 'clients', entered, 'longest', string.format('%.0f', longest))
  end
end

local function nodes_of(list)
  local nodes, count, known = {}, 0, 0
  for id in string.gmatch(list, '[^,]+') do
    count = count + 1
    if id ~= '?' then
      nodes[id] = true
      known = known + 1
    end
  end
  return nodes, count, known
end

-- The least number of nodes that any majority of one of two lists has among those common to both.
local function common_of(count, known, common)
  return math.max(0, math.floor(count / 2) + 1 - (known - common))
end

-- Whether every majority of one list has a node in common with every majority of the other. A node that a client does
-- not know has not voted for it.
local function meet(one, other)
  local a, count_a, known_a = nodes_of(one)
  local b, count_b, known_b = nodes_of(other)
  local common = 0
  for id in pairs(a) do
    if b[id] then common = common + 1 end
  end
  return common_of(count_a, known_a, common) + common_of(count_b, known_b, common) > common
end

local function may_be_apart(one, other)
  if one == '-' or other == '-' or one == other then return false end
  for a in string.gmatch(one, '[^|]+') do
    for b in string.gmatch(other, '[^|]+') do
      if meet(a, b) then return false end
    end
  end
  return true
end

-- The error of a client whose majority may be disjoint from that of another that this node voted for; nil if there is
-- none.
local function other_nodes(voters, now, lists, names)
  for _, v in ipairs(voters) do
    if may_be_apart(v.lists, lists) then
      return redis.error_reply(string.format(
        'OTHERNODES this node voted for clients with the nodes %s, and votes for none with %s for %.0f ms more:'
        .. ' a majority of each may have no node in common (lock.redlock.nodes, lock.redlock.nodes-before)',
        string.gsub(v.names, '|', ' and before '), string.gsub(names, '|', ' and before '), v.ends - now))
    end
  end
end
