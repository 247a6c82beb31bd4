import type { Answered, AssistantMatch } from '../../../../infra/clients/assistant/messages.ts'
import { ask, fail, isPending, maxRemembered, plain, save, set, startTimer, warn, without } from './asking.ts'
import type { Draft, Machine, Pending } from './machine.ts'
import { isPlayer, playerOf, presentOf } from './players.ts'

const settleMs = 1_000

/**
 * Finds or creates the match at the assistant, adds all present players and this service, and makes this service the
 * leader. Each call sends only the next request that is still needed, because the server stores doubles. (AS8)
 */
export function attach(draft: Draft): void {
  const { m } = draft
  const { self } = m
  if (self === null || isPending(draft, 'create', 'add', 'lead', 'restoreMap')) return
  m.match ??= find(m)
  if (m.match === null) {
    if (m.refused.has('create')) return
    const users = [...presentOf(m).map(({ user }) => user.guid), self]
    ask(draft, { type: 'createMatch', users, leader: self }, { what: 'create', name: 'create', command: null })
    return
  }
  const { match } = m
  if (m.matchGuid !== match.guid) {
    m.matchGuid = match.guid
    save(draft)
  }
  const missing = [self, ...presentOf(m).map(({ user }) => user.guid)].find(
    (user) => !match.users.includes(user) && !m.refused.has(`add ${user}`),
  )
  if (missing !== undefined) {
    const adding = { what: 'add', name: `add ${missing}`, command: null } as const
    ask(draft, { type: 'addUser', match: match.guid, user: missing }, adding)
  } else if (match.leader !== self && !m.refused.has('lead')) {
    ask(draft, { type: 'setLeader', match: match.guid, user: self }, { what: 'lead', name: 'lead', command: null })
  } else if (m.mustSetMap && m.map !== null && !isPending(draft, 'map')) {
    m.mustSetMap = false
    const restoring = { what: 'restoreMap', name: 'restoreMap', command: null } as const
    ask(draft, { type: 'setMap', match: match.guid, map: m.map.parameters }, restoring)
  }
}

/** Repeats the requests that the assistant has refused on this connection. (AS3) */
export function askAgain(draft: Draft): void {
  const { m } = draft
  if (m.refused.size === 0) return
  m.refused = new Set()
  attach(draft)
}

/** Finds the session's earlier match, else a match that has only our players and that no other session holds. */
function find(m: Machine): AssistantMatch | null {
  const before = m.matchGuid === null ? undefined : m.matches.get(m.matchGuid)
  if (before !== undefined) return before
  for (const match of m.matches.values()) {
    if (m.heldElsewhere.has(match.guid)) continue
    const players = match.users.filter((guid) => {
      const user = m.users.get(guid)
      return user !== undefined && isPlayer(user)
    })
    if (players.length > 0 && players.every((guid) => playerOf(m, guid) !== null)) return match
  }
  return null
}

/** @returns whether the answer was for one of this module's requests */
export function attachingAnswered(draft: Draft, pending: Pending, { ok, details, message }: Answered): boolean {
  const { m } = draft
  const { what, name } = pending
  if (what !== 'create' && what !== 'add' && what !== 'lead' && what !== 'restoreMap') return false
  if (ok) {
    if (what === 'create' && details.type === 'match' && details.match !== null) {
      m.match = details.match
      m.matches = set(m.matches, details.match.guid, details.match)
      m.isMatchOurs = true
    } else if (what === 'create') m.refused = new Set([...m.refused, name])
    else if (m.match !== null) takeOver(draft, pending)
    save(draft)
  } else {
    m.refused = new Set([...m.refused, name])
    if (details.type === 'permission')
      fail(draft, 'assistant.permission', `The assistant asks for ${plain(details.required)}.`)
    else fail(draft, 'assistant.refused', message === '' ? 'The assistant has refused it.' : message)
  }
  attach(draft)
  return true
}

/** Applies an accepted request to the match, without waiting for the event. */
function takeOver({ m }: Draft, { ask: asked }: Pending): void {
  if (m.match === null) return
  if (asked.type === 'addUser' && !m.match.users.includes(asked.user)) {
    m.match = { ...m.match, users: [...m.match.users, asked.user] }
  }
  if (asked.type === 'setLeader') m.match = { ...m.match, leader: asked.user }
}

/** Handles a change of a match. The assistant keeps matches in memory, and deletes them with their last user. (AS9) */
export function matchChanged(draft: Draft, change: 'created' | 'updated' | 'deleted', match: AssistantMatch): void {
  const { m } = draft
  if (change === 'deleted') {
    m.matches = without(m.matches, match.guid)
    if (m.match?.guid !== match.guid) return
    m.match = null
    m.matchGuid = null
    m.isMatchOurs = false
    m.mustSetMap = m.map !== null
    warn(draft, 'match_deleted')
    attach(draft)
    return
  }
  if (!m.matches.has(match.guid) && m.matches.size >= maxRemembered) return
  m.matches = set(m.matches, match.guid, match)
  if (m.match?.guid !== match.guid) return
  const before = m.match
  m.match = match
  if (match.leader !== before.leader && match.leader !== m.self && !isPending(draft, 'lead'))
    warn(draft, 'other_leader')
  if (match.map !== null && isOtherMap(m) && !isPending(draft, 'map', 'restoreMap')) {
    const isNew = before.map?.hash !== match.map.hash || before.map?.difficulty !== match.map.difficulty
    if (isNew) warn(draft, 'other_map')
  }
  if (before.users.length !== match.users.length || before.users.some((user) => !match.users.includes(user))) {
    save(draft)
    // A user who leaves the assistant is first removed from the match, and must not be added again.
    startTimer(draft, 'attach', settleMs)
  }
}

export function isOtherMap({ match, map }: Machine): boolean {
  const theirs = match?.map ?? null
  if (theirs === null) return false
  if (map === null) return false
  const ours = map.map
  return (
    theirs.hash !== ours.hash || theirs.difficulty !== ours.difficulty || theirs.characteristic !== ours.characteristic
  )
}
