import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { bodyOf, inParallel } from './client.ts'
import type { Person } from './people.ts'
import { callsAtOnce, type Entry } from './teams.ts'
import type { Scene } from './tournament.ts'

/** A small award, from its nominations to results that everybody can count again. */

const Edition = Type.Object({ guid: Type.String(), id: Type.String() })
const Made = Type.Object({ guid: Type.String() })
const Status = Type.Object({ status: Type.String() })
const Vote = Type.Object({ nomineeGuid: Type.String() })
const Anything = Type.Unknown()
const Results = Type.Object({
  voters: Type.Integer(),
  ballotsDigest: Type.String(),
  categories: Type.Array(
    Type.Object({
      name: Type.String(),
      nominees: Type.Array(
        Type.Object({
          label: Type.String(),
          result: Type.Object({
            place: Type.Union([Type.Integer(), Type.Null()]),
            winner: Type.Boolean(),
            votes: Type.Union([Type.Integer(), Type.Null()]),
          }),
        }),
      ),
    }),
  ),
})

const day = 86_400_000
const maxVoters = 24
const moments = ['The last note of the final', 'A comeback from two maps down']

/** Left out when no user may manage awards. @returns the address of its page, or null */
export async function runAwards(scene: Scene, entries: readonly Entry[], now: Date): Promise<string | null> {
  const { client, story, officials } = scene
  const { owner, caster } = officials
  const { token } = owner
  story.chapter('Awards of the community')
  const edition = await makeEdition(scene, now)
  if (edition === null) {
    story.tell(`${owner.name} does not manage awards: they are left out`)
    return null
  }
  const path = `/awards/${edition.id}`
  const category = async (json: object) =>
    bodyOf(await client.call('POST', `${path}/categories`, { token, json }), 201, Made).guid
  const player = await category({ name: 'Player of the cup', nomineeType: 'user' })
  const moment = await category({ name: 'Moment of the cup', nomineeType: 'other' })
  const step = async (what: string, status: string) =>
    story.succeed(what, 200, await client.call('POST', `${path}/status`, { token, json: { status } }), Status)
  story.tell('two categories: a player, and a moment')
  await step('nominations are open', 'nominating')

  const voters = entries.map(({ captain }) => captain).slice(0, maxVoters)
  const [one, other, shy] = voters
  if (one === undefined || other === undefined || shy === undefined) throw new Error('there are too few captains')
  const nominate = (by: Person, of: string, json: object) =>
    client.call('POST', `${path}/categories/${of}/nominations`, { token: by.token, json })
  story.refuse('a captain nominates themselves', 403, await nominate(one, player, { target: one.guid }))
  const nominations = [
    await nominate(other, player, { target: one.guid, reason: 'Nobody plays as calmly.' }),
    await nominate(one, player, { target: other.guid }),
    await nominate(one, player, { target: shy.guid }),
  ].map((answer) => bodyOf(answer, 201, Made).guid)
  const ofMoments = await Promise.all(
    moments.map((label, index) => nominate(index === 0 ? one : other, moment, { label })),
  )
  story.tell('captains have nominated three players, and two moments')

  await step('nominations are over', 'shortlisting')
  const nominee = async (of: string, label: string, nomination: string | undefined) => {
    const json = { label, nominations: [nomination] }
    return bodyOf(await client.call('POST', `${path}/categories/${of}/nominees`, { token, json }), 201, Made).guid
  }
  const players = [
    await nominee(player, one.name, nominations[0]),
    await nominee(player, other.name, nominations[1]),
    await nominee(player, shy.name, nominations[2]),
  ]
  const shown: string[] = []
  for (const [index, label] of moments.entries()) {
    const answer = ofMoments[index]
    if (answer !== undefined) shown.push(await nominee(moment, label, bodyOf(answer, 201, Made).guid))
  }
  const declined = await client.call('POST', `/awards/nominees/${players[2]}/decline`, { token: shy.token })
  story.succeed('one of those who are nominated does not want to be', 200, declined, Anything)

  await step('voting is open', 'voting')
  const vote = (by: Person, of: string, nomineeGuid: string | undefined) =>
    client.call('PUT', `${path}/categories/${of}/vote`, { token: by.token, json: { nomineeGuid } })
  story.refuse('somebody votes for who has declined', 409, await vote(one, player, players[2]))
  await inParallel(voters, callsAtOnce, async (voter) => {
    const index = voters.indexOf(voter)
    bodyOf(await vote(voter, player, players[index % 3 === 0 ? 1 : 0]), 200, Vote)
    bodyOf(await vote(voter, moment, shown[index % 2]), 200, Vote)
  })
  story.succeed('one of them thinks again', 200, await vote(other, player, players[0]), Vote)
  story.tell(`${voters.length} captains have voted; until the results are there, nobody is told a number`)
  story.refuse('an owner asks for the results', 404, await client.call('GET', `${path}/results`, { token }))
  await step('voting is over; votes become ballots without names', 'counting')
  story.refuse('the caster votes after all', 409, await vote(caster, player, players[0]))
  await step('the results are published', 'published')
  await countAgain(scene, path)
  return path
}

/** Creates the edition under the first free id; null when no user may do that. */
async function makeEdition({ client, story, officials }: Scene, now: Date): Promise<Static<typeof Edition> | null> {
  const { token } = officials.owner
  const inDays = (days: number) => new Date(now.getTime() + days * day).toISOString()
  for (let attempt = 1; ; attempt++) {
    const json = {
      id: attempt === 1 ? 'demo' : `demo-${attempt}`,
      title: 'Awards of the demo',
      description:
        'Who and what stayed with us: by the votes of **everybody** who was here.\n\nThe demo holds all of it within a minute, ahead of its dates.',
      nominationsOpenAt: inDays(1),
      nominationsCloseAt: inDays(2),
      votingOpensAt: inDays(3),
      votingClosesAt: inDays(5),
      publishAt: null,
      // Everybody in the demo is new, and has no account on a ranking platform.
      rules: { accountBefore: inDays(1), link: 'none' },
    }
    const answer = await client.call('POST', '/awards', { token, json })
    if (answer.status === 403) return null
    if (answer.headers.get('problem-code') === 'award.id_taken') continue
    return story.succeed('an owner, who manages awards, makes an edition', 201, answer, Edition)
  }
}

async function countAgain({ client, story }: Scene, path: string): Promise<void> {
  const { voters, ballotsDigest, categories } = bodyOf(await client.call('GET', `${path}/results`), 200, Results)
  for (const { name, nominees } of categories) {
    story.tell(`${name}, by ${voters} voters:`)
    for (const { label, result } of nominees) story.tell(`  ${result.place}. ${label}, ${result.votes} votes`)
  }
  const { text } = await client.call('GET', `${path}/ballots.csv`)
  const lines = text
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')
  const digest = createHash('sha256').update(lines.sort().join('\n')).digest('hex')
  if (digest !== ballotsDigest) throw new Error('the ballots are not those that were counted')
  story.tell(`all ${lines.length} ballots are public, and their digest is the published one; count them yourself:`)
  const file = `${client.url}/api${path}/ballots.csv`
  story.tell(`curl -s ${file} | tail -n +2 | tr -d '\\r' | LC_ALL=C sort | head -c -1 | sha256sum`)
  story.tell(ballotsDigest)
}
