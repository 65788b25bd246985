'use strict';
// Everything shown is set as text: names and labels come from elsewhere, and are never parsed as HTML.

const $ = id => document.getElementById(id);
const longest = new Map(); // hold id -> the longest time left that was seen, as the length of its lease
let state = null;
let receivedAt = 0;
let source = null;
let shownLock = null;

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function isolated(text, className) { // a right-to-left name must not reorder what is around it
  return element('bdi', text, className);
}

function duration(ms) {
  if (ms < 0) ms = 0;
  if (ms < 60000) return (ms / 1000).toFixed(1) + ' s';
  const minutes = Math.floor(ms / 60000);
  if (minutes < 60) return minutes + ' min ' + Math.floor(ms / 1000 % 60) + ' s';
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? hours + ' h ' + minutes % 60 + ' min' : Math.floor(hours / 24) + ' days';
}

function sinceSeen() { return performance.now() - receivedAt; }

function holder(hold) {
  const line = element('div');
  if (hold.state === 'MAINTENANCE') {
    line.append('maintenance: ', isolated(hold.maintenance ? hold.maintenance.reason : ''));
    return line;
  }
  const how = hold.state === 'HELD'
    ? { READ: 'read by ', WRITE: 'written by ' }[hold.side] || ''
    : hold.state === 'KEPT' ? 'kept after ' : 'reserved for ';
  line.append(how, isolated(hold.holder));
  if (hold.permits > 1) line.append(' (' + hold.permits + ' permits)');
  if (hold.nodes && hold.nodes.length > 1) line.append(' ', element('span', 'on ' + hold.nodes.length + ' nodes', 'quiet'));
  if (hold.quorum === false) line.append(' ', element('span', 'without a quorum', 'alarm'));
  return line;
}

function permits(lock) {
  const dots = element('div', undefined, 'dots');
  const shown = Math.min(lock.permits, 32);
  const taken = Math.min(lock.holders, shown);
  dots.textContent = '\u25cf'.repeat(taken) + '\u25cb'.repeat(shown - taken) + (lock.permits > shown ? '\u2026' : '');
  dots.setAttribute('role', 'img');
  dots.setAttribute('aria-label', lock.holders + ' of ' + lock.permits + ' permits taken');
  return dots;
}

function left(hold) {
  const cell = element('div');
  if (hold.remainingMs === undefined) return element('div', 'no end', 'alarm');
  const now = hold.remainingMs;
  const most = Math.max(now, longest.get(hold.id) || 0);
  longest.set(hold.id, most);
  const bar = element('progress');
  bar.max = most;
  bar.value = now;
  bar.setAttribute('aria-label', 'lease left');
  cell.append(bar, element('span', duration(now), 'quiet'));
  return cell;
}

function cell(label, ...content) {
  const made = element('td');
  made.dataset.label = label;
  made.append(...content);
  return made;
}

function row(lock) {
  const tr = element('tr');
  tr.dataset.name = lock.name;
  const open = element('button', undefined, 'name');
  open.type = 'button';
  open.append(isolated(lock.shown));
  open.addEventListener('click', () => showDetails(lock.name, lock.shown));
  const name = cell('', open, ' ', element('span', lock.kind, 'kind'));
  if (lock.permits !== undefined) name.append(permits(lock));
  if (lock.missing !== undefined) {
    const ends = lock.endsMs === undefined ? '' : ', valid for ' + duration(lock.endsMs);
    name.append(element('div', 'count-downs missing: ' + lock.missing + ends, 'quiet'));
  }
  const holds = lock.holds.slice(0, 3);
  const by = cell('Held by ', ...holds.map(holder));
  if (lock.holders > holds.length && lock.permits === undefined) {
    by.append(element('div', 'and ' + (lock.holders - holds.length) + ' more', 'quiet'));
  }
  const since = holds.length && holds[0].since ? duration(state.seenMs - Date.parse(holds[0].since)) : '';
  const waiting = element('span', String(lock.waiting), lock.waiting > 0 ? '' : 'quiet');
  tr.append(name, by, cell('For ', ...(since ? [element('span', since, 'short')] : [])), holds.length ? cell('Left ', left(holds[0])) : cell('Left '), cell('Waiting ', waiting));
  return tr;
}

function show() {
  const focused = document.activeElement && document.activeElement.closest('tr');
  const focusedName = focused ? focused.dataset.name : null;
  const ids = new Set();
  state.locks.forEach(lock => lock.holds.forEach(hold => ids.add(hold.id)));
  for (const id of longest.keys()) if (!ids.has(id)) longest.delete(id);
  $('locks').replaceChildren(...state.locks.map(row));
  if (focusedName !== null) {
    const again = [...$('locks').children].find(tr => tr.dataset.name === focusedName);
    if (again) again.querySelector('button').focus();
  }
  $('none').hidden = state.locks.length > 0;
  $('none').textContent = state.total > 0 ? 'No lock matches.' : 'No lock is in use.';
  $('omissions').replaceChildren(...state.omissions.map(words => element('li', words)));
  $('quorum').hidden = state.nodes.length === 0;
  $('nodes').replaceChildren(...state.nodes.map(node => {
    const line = element('li', node.node + ' ');
    line.append(node.failure ? element('span', node.failure, 'alarm')
      : node.quarantineMs > 0 ? element('span', 'does not vote for ' + duration(node.quarantineMs) + ': it may have forgotten locks', 'alarm')
      : element('span', 'votes', 'quiet'));
    return line;
  }));
  $('timeline').replaceChildren(...state.timeline.map(event => {
    const line = element('li');
    const time = element('time', new Date(event.atMs).toLocaleTimeString());
    time.dateTime = new Date(event.atMs).toISOString();
    line.append(time, ' ', isolated(event.shown), ' ' + event.change);
    if (event.change === 'expired') line.className = 'alarm';
    if (event.holder && event.change !== 'released' && event.change !== 'ended') line.append(': ', isolated(event.holder));
    return line;
  }));
  $('busiest').replaceChildren(...state.busiest.map(busy => {
    const line = element('li');
    line.append(isolated(busy.shown), element('span', ' ' + (busy.changes === 1 ? '1 change' : busy.changes + ' changes'), 'quiet'));
    return line;
  }));
  $('failure').hidden = !state.failure;
  $('failure').textContent = state.failure ? 'The servers do not answer; what is shown is older. ' + state.failure : '';
  showAge();
}

function showAge() {
  if (!state) return;
  const shown = state.locks.length < state.matching ? ', the first ' + state.locks.length + ' shown' : '';
  const some = state.more ? 'more than ' : '';
  const matching = $('filter').value ? state.matching + ' of ' : '';
  $('status').textContent = matching + some + state.total + ' in use' + shown
    + '; seen ' + duration(Date.now() - state.seenMs) + ' ago, which took ' + state.tookMs + ' ms'
    + (source && source.readyState === EventSource.OPEN ? '' : '; the console does not answer');
}

function listen() {
  if (source) source.close();
  source = new EventSource('events?filter=' + encodeURIComponent($('filter').value));
  source.onmessage = event => {
    state = JSON.parse(event.data);
    receivedAt = performance.now();
    show();
  };
  source.onerror = showAge; // it reconnects by itself
}

function details(lock) {
  const all = element('div');
  all.append(element('h3', lock.kind));
  const holds = element('ul');
  lock.holds.forEach(hold => {
    const line = element('li');
    line.append(holder(hold));
    const facts = [];
    if (hold.since) facts.push('since ' + hold.since);
    if (hold.remainingMs !== undefined) facts.push(duration(hold.remainingMs) + ' left');
    if (hold.token !== undefined) facts.push('token ' + hold.token);
    if (hold.nodes && hold.nodes.length > 1) facts.push('on ' + hold.nodes.join(', '));
    facts.push('id ' + hold.id);
    line.append(element('div', facts.join(', '), 'quiet'));
    if (state && state.mayBreak && hold.state !== 'RESERVED') {
      const button = element('button', 'Break ...', 'danger');
      button.type = 'button';
      button.addEventListener('click', () => askToBreak(hold));
      line.append(button);
    }
    holds.append(line);
  });
  all.append(holds);
  const queue = element('ol');
  lock.waiters.forEach(waiter => {
    const line = element('li', waiter.place + '. ');
    line.append(isolated(waiter.holder));
    if (waiter.waitingMs !== undefined) line.append(', for ' + duration(waiter.waitingMs));
    queue.append(line);
  });
  all.append(element('h3', lock.waiting + ' waiting'), queue);
  const places = element('ul');
  for (const [label, connections] of Object.entries(lock.connections)) {
    connections.forEach(connection => {
      const line = element('li');
      line.append(isolated(label), ' is connected from ' + connection.address);
      places.append(line);
    });
  }
  lock.nodes.filter(node => node.failure).forEach(node => places.append(element('li', node.node + ': ' + node.failure, 'alarm')));
  all.append(places);
  return all;
}

async function showDetails(name, shown) {
  shownLock = name;
  $('details-name').replaceChildren(isolated(shown));
  $('details-body').replaceChildren(element('p', 'Loading ...'));
  $('break').hidden = true;
  if (!$('details').open) $('details').showModal();
  const answer = await fetch('lock?name=' + encodeURIComponent(name)).then(r => r.json(), failed => ({ error: String(failed) }));
  if (shownLock !== name) return;
  if (answer.error) {
    $('details-body').replaceChildren(element('p', answer.error, 'alarm'));
  } else if (answer.length === 0) {
    $('details-body').replaceChildren(element('p', 'It is free.'));
  } else {
    $('details-body').replaceChildren(...answer.map(details));
  }
}

let toBreak = null;

function askToBreak(hold) {
  toBreak = hold.id;
  const bound = hold.state !== 'HELD' ? 'No code runs under it.'
    : hold.remainingMs === undefined ? 'Its holder may continue for an unknown time, since the hold has no end.'
    : 'This suspends mutual exclusion: the holder may continue for up to ' + duration(hold.remainingMs) + ', until it learns of it.';
  $('break-warning').replaceChildren('Break the hold of ', isolated(hold.holder), '? ' + bound);
  $('break-result').textContent = '';
  $('break').hidden = false;
  $('token').focus();
}

$('break').addEventListener('submit', async event => {
  event.preventDefault();
  const answer = await fetch('break', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Leasehold-Token': $('token').value },
    body: JSON.stringify({ name: shownLock, id: toBreak, gently: $('gently').checked }),
  }).then(r => r.json(), failed => ({ error: String(failed) }));
  $('break-result').textContent = answer.error || answer.why || {
    BROKEN: $('gently').checked ? 'Its renewals are refused.' : 'Broken' + (answer.wokeWaiter ? '; a waiter was woken.' : '.'),
    NOT_HELD: 'It has ended by itself.',
    HELD_BY_ANOTHER: 'It has ended; the lock has another holder. Nothing was changed.',
    TOO_FEW_NODES: 'Freed on too few nodes: it still has a majority.',
  }[answer.result];
});

$('close').addEventListener('click', () => $('details').close());
$('details').addEventListener('close', () => { shownLock = null; $('token').value = ''; });
let typing = 0;
$('filter').addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(listen, 250); });
setInterval(showAge, 500);
listen();
