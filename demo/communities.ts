import { type Static, Type } from 'typebox'
import { bodyOf, type Client } from './client.ts'
import type { Person, SignIn } from './people.ts'
import type { Story } from './story.ts'
import type { Scene, Tournament } from './tournament.ts'

/** Two communities with lists of their own are asked to list the tournament: one accepts it, the other does not. */

interface Idea {
  readonly contextId: string
  readonly name: string
  readonly description: string
}

const north: Idea = {
  contextId: 'demo-north',
  name: 'Northern Circle',
  description: 'Cups of **all nations**, listed for those who follow them.',
}
const south: Idea = {
  contextId: 'demo-south',
  name: 'Southern Circle',
  description: 'Cups for players, not for nations.',
}

const Platform = Type.Object({ guid: Type.String(), name: Type.String() })

interface Community extends Static<typeof Platform> {
  readonly contextId: string
  readonly reviewer: Person
}

const Member = Type.Object({ role: Type.String() })
const Request = Type.Object({ status: Type.String(), reason: Type.Union([Type.String(), Type.Null()]) })
const Overview = Type.Object({
  platforms: Type.Array(
    Type.Object({
      platform: Type.Object({ name: Type.String() }),
      request: Type.Union([Request, Type.Null()]),
    }),
  ),
})
const Queue = Type.Object({
  requests: Type.Array(Type.Object({ guid: Type.String(), tournament: Type.Object({ guid: Type.String() }) })),
})
const Reviewed = Type.Object({ request: Request })

/** Left out when no user may create communities. */
export async function askCommunities(scene: Scene, tournament: Tournament, signIn: SignIn): Promise<void> {
  const { client, story, officials } = scene
  const { organiser } = officials
  story.chapter('Two communities')
  const taker = await openCommunity(scene, north, signIn)
  const refuser = await openCommunity(scene, south, signIn)
  if (taker === null || refuser === null) {
    story.tell(`${officials.owner.name} is not an owner, who alone makes communities: they are left out`)
    return
  }
  const path = `/tournaments/${tournament.id}/visibility`
  const wish = { scope: 'selected', platformGuids: [taker.guid, refuser.guid] }
  const asked = await client.call('PUT', path, { token: organiser.token, json: wish })
  story.succeed('the organiser asks both to list the tournament', 200, asked, Overview)

  const [atTaker, atRefuser] = [
    await findRequest(client, taker, tournament),
    await findRequest(client, refuser, tournament),
  ]
  const review = ({ token }: Person, address: string, json: object) =>
    client.call('POST', `${address}/review`, { token, json })
  const approval = { decision: 'approved' }
  const rejection = { decision: 'rejected', reason: 'A cup for nations, while we list those for players.' }
  const foreign = await review(refuser.reviewer, atTaker, approval)
  story.refuse(`the reviewer of the ${refuser.name} decides for the ${taker.name}`, 403, foreign)
  const approved = await review(taker.reviewer, atTaker, approval)
  story.succeed(`the ${taker.name} approves it`, 200, approved, Reviewed)
  const silent = await review(refuser.reviewer, atRefuser, { decision: 'rejected' })
  story.refuse(`the ${refuser.name} rejects it without a word`, 400, silent)
  const rejected = await review(refuser.reviewer, atRefuser, rejection)
  story.succeed(`the ${refuser.name} rejects it, and says why`, 200, rejected, Reviewed)

  const seen = await client.call('GET', path, { token: organiser.token })
  tellStandings(story, story.succeed('the organiser sees what became of it', 200, seen, Overview))
}

/** Creates the community, or uses that of an earlier run. Null when the owner has no such right. */
async function openCommunity(scene: Scene, idea: Idea, signIn: SignIn): Promise<Community | null> {
  const { client, story, officials } = scene
  const { token } = officials.owner
  const { contextId, name } = idea
  const json = { ...idea, imageUrl: '' }
  const made = await client.call('POST', '/admin/tournament-platforms', { token, json })
  const problem = made.headers.get('problem-code')
  if (problem === 'role.missing') return null
  const isThere = problem === 'platform.context_id_taken'
  const platform = isThere
    ? bodyOf(await client.call('GET', `/tournament-platforms/${contextId}`), 200, Platform)
    : story.succeed(`the owner opens the ${name}`, 201, made, Platform)
  if (isThere) story.tell(`the ${name} is there already, from an earlier run presumably`)
  const reviewer = await signIn(`${contextId}-reviewer`)
  const added = await client.call('POST', `/tournament-platforms/${contextId}/members`, {
    token,
    json: { userIdentifier: reviewer.chatPlatformId, role: 'reviewer' },
  })
  story.succeed(`the owner makes ${reviewer.name} its reviewer`, 200, added, Member)
  return { ...platform, contextId, reviewer }
}

/** The path of the tournament’s request in the queue of the community. */
async function findRequest(client: Client, { contextId, reviewer }: Community, { guid }: Tournament): Promise<string> {
  const path = `/tournament-platforms/${contextId}/requests`
  const queue = await client.call('GET', `${path}?status=pending&limit=100`, { token: reviewer.token })
  const request = bodyOf(queue, 200, Queue).requests.find(({ tournament }) => tournament.guid === guid)
  if (request === undefined) throw new Error(`${queue.call} does not list a request that was just made`)
  return `${path}/${request.guid}`
}

function tellStandings(story: Story, { platforms }: Static<typeof Overview>): void {
  for (const { platform, request } of platforms) {
    if (request === null) continue
    const because = request.reason === null ? '' : `: “${request.reason}”`
    story.tell(`${platform.name}: ${request.status}${because}`)
  }
}
