import type { Config } from '../src/config.ts'
import { linkAssistant } from './assistant.ts'
import { runAwards } from './awards.ts'
import { honourPlayers } from './badges.ts'
import { type Bracket, correct, crown, drawBracket, matchesOf, playBracket } from './bracket.ts'
import { type Client, createClient, inParallel } from './client.ts'
import { askCommunities } from './communities.ts'
import { type Cup, readCup, type Schedule, scheduleAround } from './cup.ts'
import { follow } from './follow.ts'
import { showBanner } from './media.ts'
import { makeOverlay } from './overlay.ts'
import { findManager, findOwner, openSignIn, type SignIn } from './people.ts'
import { playPools } from './pool-plan.ts'
import { draftPools } from './pools.ts'
import { planFirstRound } from './schedule.ts'
import { planSemiFinal } from './semi-final.ts'
import { createStory, type Step, type Story } from './story.ts'
import { openBroadcast } from './streams.ts'
import { callsAtOnce, qualify, register, type Squad, showSeeds, slugOf } from './teams.ts'
import { list, makeDraft, type Officials, prepare, type Scene, start, type Tournament } from './tournament.ts'
import { announce } from './update.ts'

export interface DemoOptions {
  /** Address of the service, with or without `/api`; the default is the public address of the settings. */
  readonly url?: string
  /** Token of a global tournament manager. Without it, a manager is made through the service's database. */
  readonly managerToken?: string
  /** Whether the organiser imports the teams from a sheet of sign-ups. */
  readonly fromSheet?: boolean
  readonly say?: (line: string) => void
}

export interface DemoSummary {
  readonly tournament: { readonly guid: string; readonly id: string }
  /** The calls with their responses, except repeated ones. */
  readonly steps: readonly Step[]
}

/**
 * Plays a real tournament to its last match in a running service, through its public API. Prints a line for each step;
 * the exit code says whether all steps had the expected results.
 */
export async function demo(config: Config, options: DemoOptions = {}): Promise<DemoSummary> {
  const began = performance.now()
  const story = createStory(options.say ?? console.log)
  const client = createClient(addressOf(options.url ?? config.publicUrl), (seconds) =>
    story.tell(`the service asks for a pause of ${seconds} s, since its limits for this machine are used up; waiting`),
  )
  const cup = await readCup()
  const now = new Date()
  const schedule = scheduleAround(cup, now)
  introduce(story, client, cup, schedule)

  const signIn = await openSignIn(client)
  const officials = await signOfficialsIn(client, options, story, signIn)
  const surplus = await signSurplusIn(cup, story, signIn)
  const scene: Scene = { client, story, cup, officials }
  const tournament = await makeDraft(scene, schedule, surplus.captain)
  await prepare(scene, tournament, schedule)
  const banner = await showBanner(scene, tournament)
  await list(scene, tournament)
  using following = await follow(scene, tournament)
  await askCommunities(scene, tournament, signIn)
  const pools = await draftPools(scene, tournament, { signIn, outsider: surplus.captain })
  const squads = await signSquadsIn(cup, story, signIn)
  const { entries, picture } = await register(scene, tournament, squads, surplus, {
    closesAt: justBefore(now),
    isFromSheet: options.fromSheet === true,
  })
  await qualify(scene, tournament, entries)
  await start(scene, tournament)
  await showSeeds(scene, tournament)
  const bracket = await drawBracket(scene, tournament)
  await following.add({ bracket: `/brackets/${bracket.guid}`, standings: `/brackets/${bracket.guid}/standings` })
  const channel = await announce(scene, tournament)
  const oneClick = pools === null ? null : await playPools(scene, tournament, bracket, pools)
  await planFirstRound(scene, tournament, bracket, entries, { schedule, signIn })
  const semiFinal = pools === null ? null : await planSemiFinal(scene, tournament, bracket, following)
  const broadcast = await openBroadcast(scene, tournament, bracket, following)
  const overlay = await makeOverlay(scene, tournament)
  await using assistant =
    pools === null ? null : await linkAssistant(scene, tournament, entries, { following, guidOf: matchesOf(bracket) })
  await playBracket(scene, tournament, bracket, entries, { semiFinal, broadcast, assistant, overlay })
  await crown(scene, tournament)
  await correct(scene, tournament, bracket)
  await honourPlayers(scene, tournament, entries)
  await overlay.showWinners()
  const results = await runAwards(scene, entries, now)
  await following.compare()
  showAddresses(scene, tournament, bracket, {
    banner,
    picture,
    channel,
    oneClick,
    queue: broadcast.queue,
    overlay: overlay.address,
    results,
  })

  conclude(story, performance.now() - began)
  return { tournament: { guid: tournament.guid, id: tournament.id }, steps: story.steps }
}

function addressOf(text: string): string {
  if (!URL.canParse(text)) throw new Error(`--url must be an address such as http://127.0.0.1:3001, not ${text}`)
  return text.replace(/\/+$/, '').replace(/\/api$/, '')
}

/** A minute ago, because the clock here may be ahead of the service's. */
function justBefore(now: Date): Date {
  return new Date(now.getTime() - 60_000)
}

function introduce(story: Story, { url }: Client, cup: Cup, { weeks, registrationOpensAt, startsAt }: Schedule): void {
  const day = (date: Date) => date.toISOString().slice(0, 10)
  story.chapter(`${cup.name}, played into ${url}`)
  story.tell(cup.description)
  story.tell(cup.source)
  story.tell(`It was in 2023: every date is moved by ${weeks} weeks, so that registration, open since`)
  story.tell(`${day(registrationOpensAt)}, is open today. The qualifiers would begin on ${day(startsAt)}.`)
}

async function signOfficialsIn(client: Client, options: DemoOptions, story: Story, signIn: SignIn): Promise<Officials> {
  story.chapter('Officials')
  const manager = await findManager(client, options.managerToken, signIn)
  const owner = await findOwner(client, options.managerToken, manager, signIn)
  const organiser = await signIn('demo-organiser')
  const [staff, referee, caster] = [
    await signIn('demo-staff'),
    await signIn('demo-referee'),
    await signIn('demo-caster'),
  ]
  story.tell('organiser, staff, referee and caster have signed in')
  story.tell(
    options.managerToken === undefined
      ? 'a tournament manager and an owner have, too: the stand-in, not the API, made them so, since this machine has the key of the service'
      : 'the tournament manager is the one whose token was given',
  )
  return { organiser, manager, owner, staff, referee, caster }
}

/** Signs in the captain of the best nation that was not seeded. */
async function signSurplusIn({ teams }: Cup, story: Story, signIn: SignIn): Promise<Squad> {
  const nation = teams.find(({ seed }) => seed === null)
  if (nation === undefined) throw new Error('every nation was seeded')
  const captain = await signIn(`${slugOf(nation)}-1`)
  story.tell(`so has one player of ${nation.name}, the best nation that missed the bracket`)
  return { nation, captain, others: [] }
}

/**
 * Signs in the minimum number of players of each seeded nation. Not more, because the service limits how many people
 * one machine may sign in each minute.
 */
async function signSquadsIn({ teams, format }: Cup, story: Story, signIn: SignIn): Promise<readonly Squad[]> {
  const { min, max } = format.teamSize
  story.chapter('Players')
  const nations = teams.filter(({ seed }) => seed !== null)
  const names = nations.flatMap((nation) => Array.from({ length: min }, (_, index) => `${slugOf(nation)}-${index + 1}`))
  const people = await inParallel(names, callsAtOnce, signIn)
  story.tell(
    `${people.length} invented players of ${nations.length} nations have signed in; a team has ${min} to ${max}`,
  )
  return nations.map((nation, index): Squad => {
    const [captain, ...others] = people.slice(index * min, (index + 1) * min)
    if (captain === undefined) throw new Error(`${nation.name} has no captain`)
    return { nation, captain, others }
  })
}

function showAddresses(
  { client, story, officials }: Scene,
  { id }: Tournament,
  bracket: Bracket,
  shown: {
    readonly banner: string
    readonly picture: string
    readonly channel: string | null
    readonly oneClick: string | null
    readonly queue: string
    readonly overlay: string
    readonly results: string | null
  },
): void {
  const { banner, picture, channel, oneClick, queue, overlay, results } = shown
  const { organiser } = officials
  const address = `${client.url}/api/tournaments/${id}`
  const page = `${client.url}/t/${id}`
  story.chapter('Have a look')
  story.tell(`the tournament     ${page}`)
  story.tell(`its teams          ${page}/teams`)
  story.tell(`its banner         ${banner}`)
  story.tell(`a team’s picture   ${picture}`)
  story.tell(`its updates        ${page}/updates`)
  story.tell(`its matches        ${page}/matches?status=completed`)
  story.tell(`its bracket        ${page}/bracket/main/${bracket.guid}`)
  story.tell(`who streams        ${page}/schedule`)
  story.tell(`what is shown      ${client.url}/api${queue}`)
  story.tell(`the overlay        ${overlay}`)
  if (results !== null) story.tell(`what was honoured  ${client.url}${results}`)
  if (oneClick !== null) {
    story.tell(`its map pools      ${page}/pools`)
    story.tell(`into the game      ${oneClick}`)
  }
  if (channel !== null) story.tell(`its chat channel   ${channel}`)
  story.tell(`the API’s pages    ${client.url}/api/docs`)
  story.tell('with a token of the organiser:')
  story.tell(`as a spreadsheet   ${address}/teams.csv`)
  story.tell(`who changed what   ${address}/audit`)
  story.tell('')
  story.tell(`TOKEN=$(npm run --silent downbeat -- token ${organiser.chatPlatformId})`)
  story.tell(`curl -H "Authorization: Bearer $TOKEN" ${address}/audit`)
}

function conclude(story: Story, ms: number): void {
  const wrong = story.steps.filter(({ expected, actual }) => expected !== actual)
  story.chapter(
    wrong.length === 0
      ? `Done in ${(ms / 1_000).toFixed(1)} s.`
      : `Done, but ${wrong.length} of ${story.steps.length} steps did not go as they must.`,
  )
  if (wrong.length > 0) process.exitCode = 1
}
