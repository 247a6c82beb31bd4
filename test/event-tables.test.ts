import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parts } from '../src/app.ts'
import type { AnyEvent, Events, EventTable, NewEvent } from '../src/core/events.ts'
import { eventTables, faultsOf } from './event-log.ts'

/**
 * Rules for all events; the compiler checks their types, in this test too. (docs/architecture-reference.md: The event
 * log)
 */

/** Every slice with events, as the compiler knows them. */
const owners: Record<keyof Events, true> = {
  oauth: true,
  rankings: true,
  users: true,
  sessions: true,
  emails: true,
  access: true,
  notifications: true,
  pushDevices: true,
  platforms: true,
  tournaments: true,
  spoilers: true,
  timeline: true,
  notices: true,
  rehearsals: true,
  calendar: true,
  visibility: true,
  webhooks: true,
  updates: true,
  teams: true,
  media: true,
  brackets: true,
  registration: true,
  desk: true,
  claims: true,
  teamImports: true,
  results: true,
  qualifiers: true,
  availability: true,
  schedules: true,
  flowSessions: true,
  pools: true,
  suggestions: true,
  plans: true,
  flows: true,
  catalogue: true,
  imports: true,
  badges: true,
  badgeRequests: true,
  awards: true,
  bridgeTickets: true,
  accounts: true,
  streamServers: true,
  streamKeys: true,
  streamAssignments: true,
  streamSessions: true,
  channels: true,
  assistantHooks: true,
  assistantLinks: true,
  packages: true,
  assistantSessions: true,
  proposals: true,
  overlays: true,
  control: true,
  sceneDocuments: true,
  connections: true,
}

/** A table for each slice, so that together they are the tables of all events. */
type Tables = { readonly [Name in keyof Events]: EventTable<Events[Name]> }
type HasTables = Tables[keyof Events] extends Partial<EventTable<AnyEvent>> ? true : false

describe('the events of a slice', () => {
  test('are declared in its events.ts, under its name, and all of them are in its table', async () => {
    const root = path.join(import.meta.dirname, '../src')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => /^(features\/[^/]+\/[^/]+|oauth)\/events\.ts$/.test(file))
    const declared = files.map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      const [, name, union] = /interface Events \{\s+(\w+): (\w+)\n/.exec(text) ?? []
      expect(name, file).toBe(file.split('/').at(-2))
      expect(text, file).toContain(`export const ${name}Events: EventTable<${union}> = {`)
      return [name, file] as const
    })
    expect(declared.map(([name]) => name).sort()).toEqual(Object.keys(owners).sort())
    for (const [name, file] of declared) {
      const module = (await import(path.join(root, file))) as Record<string, unknown>
      expect(parts.find((part) => part.name === name)?.events, file).toBe(module[`${name}Events`])
    }
    const withEvents = parts.filter(({ events }) => events !== undefined).map(({ name }) => name)
    expect(withEvents.sort()).toEqual(Object.keys(owners).sort())
    expect(true satisfies HasTables).toBe(true)
  })

  test('are told by nobody else', () => {
    const names = parts.flatMap(({ events }) => Object.keys(events ?? {}))
    expect(names.length).toBeGreaterThan(90)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('have names of the form noun.past_tense', () => {
    const irregular = ['begun', 'left', 'made', 'read', 'set', 'shown', 'taken', 'undone', 'withdrawn']
    const isPast = (name: string) => {
      const [, verb = ''] = /^[a-z]+(?:_[a-z]+)*\.([a-z]+(?:_[a-z]+)*)$/.exec(name) ?? []
      return verb.split('_').some((word) => word.endsWith('ed') || irregular.includes(word))
    }
    // Names that are also those of users' notifications and older than the rule, or that the contract defines.
    const named = [
      ...['sign_in.new_place', 'flow.row', 'flow.overdue'],
      ...['stream.online', 'stream.offline', 'stream.cut', 'overlay.version_kept'],
    ]
    expect([...eventTables.keys()].filter((name) => !isPast(name)).sort()).toEqual(named.sort())
  })

  test('happen to a record, whose noun they name', () => {
    const subjects = [...eventTables].map(([name, { subject }]) => [name, subject] as const)
    const ofMany = subjects.filter(([, subject]) => subject === null).map(([name]) => name)
    expect(ofMany.sort()).toEqual([
      // Events whose users must not be published.
      ...['award.nominated', 'award.nomination_withdrawn', 'award.voted'],
      ...['map.checked', 'notification.created', 'ranking.refreshed', 'rehearsal.messages_recorded'],
    ])
    for (const [name, subject] of subjects) expect(subject ?? 'user', name).toMatch(/^[a-z]+(_[a-z]+)*$/)
  })

  test('tell everybody nothing of accounts, applications, roles, platforms and what is asked of them', () => {
    const open = [...eventTables].filter(
      ([, { isPublic, members }]) => isPublic || Object.values(members ?? {}).includes('public'),
    )
    const nouns = new Set(open.map(([, { subject }]) => subject))
    expect([...nouns].sort()).toEqual(
      [
        'assistant_session',
        'award',
        'bracket',
        'channel',
        'division',
        'flow',
        'flow_session',
        'match',
        'notice',
        'overlay',
        'pool',
        'qualifier',
        'stream_assignment',
        'stream_session',
        'team',
        'tournament',
        'update',
      ].sort(),
    )
    const secret = /webhook|Url$|secret|notes|reason|sync|userGuid/i
    const told = open.flatMap(([name, { members }]) =>
      Object.entries(members ?? {}).flatMap(([member, audience]) =>
        audience === 'public' && secret.test(member) ? [`${name} ${member}`] : [],
      ),
    )
    expect(told).toEqual([
      'tournament.updated imageUrl',
      'tournament.updated bannerUrl',
      'match.updated streamUrl',
      'match.updated vodUrl',
      // Shown on the page of the results.
      'award.corrected reason',
    ])
  })
})

describe('an event', () => {
  const [subject, tournament, actor] = ['s', 't', 'a']

  test('is told with its members and no others', () => {
    const role = { role: 'role:caster' } as const
    const events: NewEvent[] = [
      { type: 'access.granted', subject, tournament, actor, after: role },
      { type: 'user.created', subject, actor: null },
      { type: 'ranking.refreshed', subject: null, actor: null, touches: ['u'] },
      { type: 'team.updated', subject, tournament, actor, before: { name: 'Old' }, after: { name: 'New' } },
      // @ts-expect-error There is no such event.
      { type: 'access.lent', subject, tournament, actor, after: role },
      // @ts-expect-error A role is missing.
      { type: 'access.granted', subject, tournament, actor, after: {} },
      // @ts-expect-error What was granted is missing altogether.
      { type: 'access.granted', subject, tournament, actor },
      // @ts-expect-error There is no such role.
      { type: 'access.granted', subject, tournament, actor, after: { role: 'role:king' } },
      // @ts-expect-error A role is not told together with a reason.
      { type: 'access.granted', subject, tournament, actor, after: { role: 'role:caster', reason: '' } },
      // @ts-expect-error Nobody had the role before.
      { type: 'access.granted', subject, tournament, actor, before: role, after: role },
      // @ts-expect-error It happens in a tournament.
      { type: 'access.granted', subject, actor, after: role },
      // @ts-expect-error It happens in no tournament.
      { type: 'user.created', subject, tournament, actor: null },
      // @ts-expect-error It happens to a user.
      { type: 'user.created', subject: null, actor: null },
      // @ts-expect-error Instants are told as text.
      { type: 'notice.updated', subject, actor, before: {}, after: { startsAt: new Date(0) } },
    ]
    expect(events).toHaveLength(14)
  })

  test('holds no dates, which would be text when it is read', () => {
    type Dates<T> = T extends Date
      ? T
      : T extends readonly (infer Item)[]
        ? Dates<Item>
        : T extends object
          ? { [Name in keyof T]-?: Dates<T[Name]> }[keyof T]
          : never
    const dates: Dates<AnyEvent['before'] | AnyEvent['after']>[] = []
    // @ts-expect-error It would find one.
    const found: Dates<{ readonly games: readonly { readonly at?: Date | null }[] }> = 'text'
    expect([dates satisfies never[], found]).toEqual([[], 'text'])
  })

  test('that was emitted is held to the table of its slice', () => {
    const members = ['role']
    expect(faultsOf({ type: 'access.granted', hasSubject: true, members })).toEqual([])
    expect(faultsOf({ type: 'access.lent', hasSubject: true, members })).toEqual([
      'access.lent is in no table of events',
    ])
    expect(faultsOf({ type: 'access.granted', hasSubject: false, members: ['role', 'reason', 'toString'] })).toEqual([
      'access.granted lacks a subject',
      'access.granted has the member reason',
      'access.granted has the member toString',
    ])
    expect(faultsOf({ type: 'ranking.refreshed', hasSubject: true, members: [] })).toEqual([
      'ranking.refreshed has a subject',
    ])
  })
})
