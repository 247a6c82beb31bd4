import { type Static, Type } from 'typebox'
import { type Answer, bodyOf, type Client } from './client.ts'
import type { Cup, Schedule } from './cup.ts'
import { managerHelp, type Person } from './people.ts'
import type { Story } from './story.ts'

/** Creates the tournament, gets it onto the public list, and starts it. */

export interface Officials {
  readonly organiser: Person
  /** A global tournament manager, who reviews requests for the public list. */
  readonly manager: Person
  /** Creates communities. When a manager's token was given, this is its user, who may lack the right. */
  readonly owner: Person
  readonly staff: Person
  readonly referee: Person
  readonly caster: Person
}

/** The common parts of all chapters of the demo. */
export interface Scene {
  readonly client: Client
  readonly story: Story
  readonly cup: Cup
  readonly officials: Officials
}

const Tournament = Type.Object({
  guid: Type.String(),
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  additionalFields: Type.Array(Type.Object({ guid: Type.String(), subject: Type.String() })),
})
export type Tournament = Static<typeof Tournament>

const Success = Type.Object({ success: Type.String() })
const Anything = Type.Unknown()

/**
 * Creates the draft under the first free id.
 * @param outsider a user without a role
 */
export async function makeDraft(scene: Scene, schedule: Schedule, outsider: Person): Promise<Tournament> {
  const { client, story, cup, officials } = scene
  const { organiser } = officials
  story.chapter('The tournament, still a draft')
  const answer = await createUnderFreeId(scene, { ...settingsOf(cup), ...datesOf(schedule) })
  const draft = story.succeed(`the organiser makes the draft “${cup.name}”`, 201, answer, Tournament)
  story.tell(`id ${draft.id}, GUID ${draft.guid}`)

  const path = `/tournaments/${draft.id}`
  story.succeed('the organiser sees it', 200, await client.call('GET', path, { token: organiser.token }), Tournament)
  const { token } = outsider
  story.refuse('a player looks for it', 404, await client.call('GET', path, { token }))
  return draft
}

async function createUnderFreeId({ client, story, officials }: Scene, settings: object): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const id = attempt === 1 ? 'world-cup-2023' : `world-cup-2023-${attempt}`
    const json = { ...settings, id }
    const answer = await client.call('POST', '/tournaments', { token: officials.organiser.token, json })
    if (answer.headers.get('problem-code') !== 'tournament.id_taken') return answer
    story.tell(`the id ${id} is taken, by an earlier run presumably; trying the next`)
  }
}

function settingsOf({ name, format }: Cup): object {
  const { teamSize, capacity } = format
  return {
    name,
    summary: `National teams of ${teamSize.min} to ${teamSize.max} players; ${capacity} of them play for the title.`,
    description: [
      `Each country sends **one team**, of whom ${teamSize.active} are on the field at a time.`,
      '',
      `1. Qualifiers: every team plays the same pool twice, and the best run counts.`,
      `2. A double-elimination bracket of ${capacity}, seeded by the qualifiers.`,
      '',
      'The results are those of a real tournament; the players are invented.',
    ].join('\n'),
    rules: rulesOf(format),
    timezone: 'UTC',
    teamSize,
    capacity,
    requirements: { chatAccountAgeDays: 30 },
    additionalFields: [
      {
        label: 'When can your team play?',
        help: 'Days and hours, in UTC; the coordinators schedule by it.',
        type: 'text',
        subject: 'team',
        required: true,
        private: true,
      },
      { label: 'May be shown on stream', type: 'boolean', subject: 'player', required: true },
    ],
    links: {
      website: 'https://osu.ppy.sh/wiki/en/Tournaments/OWC/2023',
      stream: 'https://stream.example.org/world-cup',
      chatInvite: 'https://chat.example.org/world-cup',
    },
  }
}

function rulesOf({ teamSize, stages }: Cup['format']): string {
  return stages
    .flatMap((stage) => [
      `## ${stage.name}`,
      stage.kind === 'qualifier'
        ? `Every team plays the pool ${stage.runs} times, and its ${stage.counts} counts. The first ${stage.advance} go on.`
        : `Best of ${stage.bestOf}, ${teamSize.active} against ${teamSize.active}. Maps that a team bans: ${stage.bansPerTeam}.`,
    ])
    .join('\n\n')
}

function datesOf({ registrationOpensAt, registrationClosesAt, startsAt, endsAt }: Schedule): object {
  return { registrationOpensAt, registrationClosesAt, startsAt, endsAt }
}

const icons: Readonly<Record<string, string>> = {
  Registration: 'clipboard',
  'Qualifier showcase': 'video',
  Qualifiers: 'list-ordered',
  'Grand Finals': 'trophy',
}

/** Grants roles, and edits the timeline as users with and without the right. */
export async function prepare({ client, story, officials }: Scene, { id }: Tournament, { stages }: Schedule) {
  const { organiser, staff, referee, caster } = officials
  story.chapter('Staff and timeline')
  for (const [person, role] of [
    [staff, 'role:staff'],
    [referee, 'role:referee'],
    [caster, 'role:caster'],
  ] as const) {
    const path = `/tournaments/${id}/permissions/${person.chatPlatformId}/grant`
    const answer = await client.call('POST', path, { token: organiser.token, json: { role } })
    story.succeed(`the organiser grants ${role} to ${person.name}`, 200, answer, Success)
  }
  const timelineEvents = stages.map(({ title, startsAt, endsAt }) => ({
    title,
    icon: icons[title] ?? 'swords',
    startTime: startsAt,
    endTime: endsAt,
  }))
  const path = `/tournaments/${id}/timelineEvents`
  const put = ({ token }: Person) => client.call('PUT', path, { token, json: { timelineEvents } })
  const written = `a timeline of ${stages.length} events`
  story.refuse(`the caster writes ${written}`, 401, await put(caster))
  story.succeed(`role:staff writes ${written}`, 200, await put(staff), Success)
}

const Access = Type.Object({ roles: Type.Array(Type.String()) })
const Request = Type.Object({ request: Type.Object({ status: Type.String() }) })
const Listing = Type.Object({ tournaments: Type.Array(Type.Object({ guid: Type.String() })) })

/** Requests the public list, and approves the request. */
export async function list({ client, story, officials }: Scene, { id, guid }: Tournament): Promise<void> {
  const { organiser, manager } = officials
  const path = `/tournaments/${id}`
  story.chapter('The public list')
  const access = await client.call('GET', `${path}/access`, { token: manager.token })
  if (access.status !== 200 || !bodyOf(access, 200, Access).roles.includes('global:tournaments:manage')) {
    throw new Error(`${manager.name} is not a tournament manager in the service at ${client.url}; ${managerHelp}`)
  }
  const asked = await client.call('POST', `${path}/visibility/request`, { token: organiser.token })
  story.succeed('the organiser asks for it to be listed', 200, asked, Request)
  const approve = ({ token }: Person) => client.call('POST', `${path}/visibility/approve`, { token })
  story.refuse('the organiser approves their own request', 403, await approve(organiser))
  story.succeed('the tournament manager approves it', 200, await approve(manager), Request)
  const listed = await client.call('GET', '/tournaments?registration=open&limit=100')
  const { tournaments } = story.succeed('anybody reads the public list', 200, listed, Listing)
  if (!tournaments.some((tournament) => tournament.guid === guid)) {
    throw new Error('the approved tournament is not on the first page of the public list')
  }
  story.tell('the tournament is on it, open for registration')
}

/** Closes registration now, which requires the right to set dates. */
export async function closeRegistration(
  { client, story, officials }: Scene,
  { id }: Tournament,
  at: Date,
): Promise<void> {
  const close = ({ token }: Person) =>
    client.call('PATCH', `/tournaments/${id}`, { token, json: { registrationClosesAt: at } })
  story.refuse('role:staff closes registration', 403, await close(officials.staff))
  story.succeed('the organiser closes registration', 200, await close(officials.organiser), Tournament)
}

export async function start({ client, story, officials }: Scene, { id }: Tournament): Promise<void> {
  const { token } = officials.organiser
  const answer = await client.call('POST', `/tournaments/${id}/status`, { token, json: { status: 'ongoing' } })
  story.succeed('the organiser starts the tournament', 200, answer, Anything)
}
