import type { Caller, Harness } from './harness.ts'

/**
 * The data tree of overlays, built a second time from public reads, as the contract describes each part, independently
 * of the service. (overlays: Data tree; overlays: What proves it, 9)
 */

// biome-ignore lint/suspicious/noExplicitAny: answers are read in tests as JSON, whose form the contract tests check.
type Body = any

export interface PlainAsked {
  readonly matchGuid: string | null
  readonly swapSides?: boolean
  readonly highlighted?: readonly string[]
  /** The reader of sessions, for trees without delay: a caster sees no secret answers either. */
  readonly sessionsAs?: Caller
}

/** @param path the tournament's path */
export async function plainTree(api: Harness, path: string, asked: PlainAsked): Promise<Body> {
  const read = async (address: string): Promise<Body> => {
    const isOfSession = address.endsWith('/flow') || address.includes('/flow-sessions/')
    const { status, body, text } = await api.get(address, isOfSession ? (asked.sessionsAs ?? null) : null)
    if (status === 404) return null
    if (status !== 200) throw new Error(`${address} was not read: ${text}`)
    return body
  }
  const [tournament, divisions] = await Promise.all([read(path), read(`${path}/divisions`)])
  const listed: Body[] = divisions.flatMap((division: Body) => division.brackets)
  const brackets: Body[] = await Promise.all(listed.map(({ guid }) => read(`${path}/brackets/${guid}`)))
  const matches: Body[] = brackets.flatMap((bracket) => bracket.matches)
  const find = (guid: string | null | undefined) => matches.find((each) => each.guid === guid) ?? null
  const match = find(asked.matchGuid)
  const order = asked.swapSides === true ? [1, 2].toReversed() : [1, 2]
  const bracketOf = ({ bracket }: Body) => brackets.find(({ guid }) => guid === bracket)

  const label = (each: Body) => {
    const bracket = bracketOf(each)
    const round = bracket.rounds.find(({ matchGuids }: Body) => matchGuids.includes(each.guid))
    const division = divisions.find(({ guid }: Body) => guid === each.division)
    const group = each.groupIndex === null ? [] : [`Group ${'ABCDEFGH'[each.groupIndex]}`]
    return [...(divisions.length > 1 ? [division.name] : []), bracket.name, ...group, round.name].join(' · ')
  }
  const placeholder = ({ team, bye, from }: Body) => {
    if (team !== null) return null
    if (bye) return 'Bye'
    if (from === null) return null
    return from.outcome === 'winner' ? `Winner of match ${from.number}` : `Loser of match ${from.number}`
  }
  const beside = (each: Body) => ({
    guid: each.guid,
    number: each.number,
    label: label(each),
    status: each.status,
    scheduledAt: each.scheduledAt,
    sides: each.sides.map((side: Body) => ({
      name: side.team?.name ?? null,
      imageUrl: side.team?.imageUrl ?? null,
      placeholder: placeholder(side),
      score: side.score,
      isWinner: side.result === 'win',
    })),
  })

  const state = match === null ? null : await read(`${path}/matches/${match.guid}/flow`)
  const isBegun = state !== null && state.session !== null && state.status !== 'void'
  const entries: Body[] = state?.pool?.maps ?? []
  const treeMap = (entry: Body) => ({
    ...only(entry.map, mapMembers),
    flair: entry.flair === null ? null : only(entry.flair, ['name', 'color', 'icon']),
    modifiers: entry.modifiers,
  })
  const entryOf = (guid: string) => entries.find((entry) => entry.guid === guid)
  const mapOf = (guid: string | null) => {
    const entry = guid === null ? undefined : entryOf(guid)
    return entry === undefined ? null : treeMap(entry)
  }
  const knownEntry = (map: Body) =>
    entries.find(
      (entry) =>
        entry.map.hash === map.hash &&
        entry.map.difficulty === map.difficulty &&
        entry.map.characteristic === map.characteristic,
    )
  const toldMap = (map: Body) => {
    const known = knownEntry(map)
    if (known !== undefined) return treeMap(known)
    const blank = Object.fromEntries(mapMembers.map((name) => [name, null]))
    return { ...blank, ...map, name: map.name ?? null, flair: null, modifiers: [] }
  }

  const side = async (number: number) => {
    const told = match?.sides[number - 1] ?? { team: null, from: null, bye: false, score: null, result: null }
    const { score, result } = told
    if (told.team === null) return { number, team: null, placeholder: placeholder(told), score, result, players: [] }
    const team = await read(`${path}/teams/${told.team.guid}`)
    const entrant = bracketOf(match).entrants.find(({ team: each }: Body) => each?.guid === team.guid)
    const lineup: string[] = (isBegun ? state.seats[number - 1]?.lineup : null) ?? []
    const named = lineup.map((guid) => team.members.find(({ user }: Body) => user.guid === guid)).filter(Boolean)
    const playing = named.length > 0 ? named : team.members.filter(({ isActive }: Body) => isActive)
    return {
      number,
      team: { ...only(team, ['guid', 'name', 'imageUrl', 'color', 'isSolo']), seed: entrant?.seed ?? null },
      placeholder: null,
      score,
      result,
      players: await Promise.all(
        playing.slice(0, 6).map(async ({ user }: Body) => {
          const stream = await read(`/users/${user.guid}/stream`)
          const { streamingName } = user
          const embed =
            streamingName === null ? null : `https://player.twitch.tv/?channel=${streamingName}&parent=localhost`
          return {
            guid: user.guid,
            name: user.preferredName,
            avatarUrl: user.avatarUrl,
            country: user.country,
            pronouns: user.pronouns,
            headset: null,
            // No read returns these; they have a test of their own.
            rankA: null,
            rankB: null,
            stream: stream.live || embed !== null ? { live: stream.live, ...stream.play, embed } : null,
          }
        }),
      ),
    }
  }

  const sideOfSeat = (seat: number | null | undefined) => seat ?? null
  const game = (each: Body) => {
    const runs = each.chains.at(-1) ?? []
    const accuracy = (seat: number) => {
      const counted = runs.find(({ run }: Body) => run === each.counted[seat - 1])
      const known = (counted?.scores ?? []).filter(
        (score: Body) => score.seat === seat && score.counts && score.accuracy !== null,
      )
      return known.length === 0
        ? null
        : known.reduce((sum: number, score: Body) => sum + score.accuracy, 0) / known.length
    }
    // The match has the result of a map that has ended.
    const ended = ['final', 'void'].includes(each.phase)
      ? match.games.find(({ number }: Body) => number === each.game)
      : undefined
    return {
      number: each.game,
      map: ended?.map === undefined ? mapOf(each.map) : toldMap(ended.map),
      pickedBy: each.pickedBy,
      isTiebreaker: entryOf(each.map)?.isTiebreaker ?? false,
      phase: each.phase,
      sides: order.map((seat) =>
        ended === undefined
          ? { score: each.totals[seat - 1] ?? null, accuracy: accuracy(seat) }
          : { score: ended.sides[seat - 1].score, accuracy: ended.sides[seat - 1].accuracy ?? null },
      ),
      provisional: each.winner === null && each.provisional !== null,
      winner: each.winner ?? each.provisional,
      because: each.because,
      run: runs.at(-1)?.run ?? 1,
      scoreToBeat: each.scoreToBeat,
    }
  }
  const current = () => {
    const open = state.games.find(({ phase }: Body) => ['playing', 'window', 'replay'].includes(phase))
    const next = state.games.find(({ phase }: Body) => phase === 'up_next')
    const last = state.games.filter(({ phase }: Body) => phase === 'final').at(-1)
    const shown = open ?? next ?? last
    const entry = shown === undefined ? undefined : entryOf(shown.map)
    if (entry === undefined) return null
    const { isTiebreaker, options } = entry
    return { ...treeMap(entry), pickedBy: shown.pickedBy, isTiebreaker, target: options.target }
  }

  const begun = () => ({
    map: current(),
    pickBans: state.picksBans.map((row: Body) => ({
      number: row.flowOrder,
      action: row.isBan ? 'ban' : row.isTB ? 'tiebreaker' : 'pick',
      side: state.seats.find(({ team }: Body) => team?.guid === row.actionerGuid)?.seat ?? null,
      map: mapOf(row.mapGuid),
    })),
    pool: {
      name: state.pool.name,
      maps: entries.map((entry) => {
        const known = state.maps.find(({ map }: Body) => map === entry.guid)
        return {
          ...treeMap(entry),
          state: known.state,
          side: sideOfSeat(known.seat),
          winner: sideOfSeat(known.winner),
          isTiebreaker: entry.isTiebreaker,
        }
      }),
    },
    flow: {
      phase: state.phase,
      turn:
        state.turn === null
          ? null
          : {
              action: state.turn.action,
              side: state.turn.seats.length === 1 ? state.turn.seats[0] : null,
              run: state.turn.run,
            },
      clock: state.clock === null ? null : only(state.clock, ['dueAt', 'remainingMs', 'pausedAt', 'seconds']),
      matchPoint: state.matchPoint ?? [],
      seats: order.map((seat) => {
        const { replays, timeouts } = state.flow.rules
        const { replaysLeft, timeoutsLeft } = state.seats[seat - 1]
        return {
          replaysLeft: replays.rule === 'none' || replays.perMatch === 0 ? null : replaysLeft,
          timeoutsLeft: timeouts.count === 0 ? null : timeoutsLeft,
        }
      }),
    },
    games: state.games.map(game),
  })
  const told = () => ({
    map: null,
    pickBans: [],
    flow: null,
    pool:
      state === null || state.status === 'void' || state.pool === null
        ? null
        : {
            name: state.pool.name,
            maps: entries.map((entry) => ({
              ...treeMap(entry),
              state: 'available',
              side: null,
              winner: null,
              isTiebreaker: entry.isTiebreaker,
            })),
          },
    games: (match?.games ?? []).map((each: Body) => ({
      number: each.number,
      map: each.map === undefined ? null : toldMap(each.map),
      pickedBy: null,
      isTiebreaker: each.map === undefined ? false : (knownEntry(each.map)?.isTiebreaker ?? false),
      phase: 'final',
      sides: order.map((seat) => {
        const { score, accuracy = null } = each.sides[seat - 1]
        return { score, accuracy }
      }),
      provisional: false,
      winner: each.winner,
      because: null,
      run: 1,
      scoreToBeat: null,
    })),
  })

  const others = matches.filter(({ guid }) => guid !== match?.guid)
  // In the order of the list: brackets in the order of generation, and matches by number.
  const upcoming = others
    .filter(({ status, scheduledAt }) => {
      return status === 'ready' || (['locked', 'waiting'].includes(status) && scheduledAt !== null)
    })
    .toSorted((one, other) => byTime(one.scheduledAt, other.scheduledAt) || one.number - other.number)
  const recent = others
    .filter(({ status, outcome }) => status === 'completed' && outcome !== 'bye')
    .toSorted((one, other) => -byTime(one.completedAt, other.completedAt) || other.number - one.number)

  const champion = tournament.placements[0]?.team.guid
  const road = matches
    .filter(({ status, outcome, sides }) => {
      const isOver = status === 'completed' && outcome !== 'bye'
      return isOver && sides.some(({ team }: Body) => team !== null && team.guid === champion)
    })
    .toSorted((one, other) => -byTime(one.completedAt, other.completedAt) || other.number - one.number)

  const table =
    match === null
      ? (brackets.find(({ status }) => status === 'running') ??
        brackets.findLast(({ status }) => status === 'completed') ??
        null)
      : bracketOf(match)
  const rows: Body[] = (table?.standings ?? []).filter(
    (row: Body) => match === null || match.groupIndex === null || row.groupIndex === match.groupIndex,
  )
  const qualifier = await read(`${path}/qualifier/standings`)
  return {
    tournament: only(tournament, ['guid', 'id', 'name', 'imageUrl', 'bannerUrl', 'timezone']),
    match:
      match === null
        ? null
        : {
            ...only(match, ['guid', 'number', 'status', 'bestOf', 'winsNeeded', 'scheduledAt', 'startedAt', 'outcome']),
            label: label(match),
          },
    sides: await Promise.all(order.map(side)),
    ...(isBegun ? begun() : told()),
    bracket: {
      before: [...new Set<string>((match?.sides ?? []).map(({ from }: Body) => from?.matchGuid))]
        .flatMap((guid) => find(guid) ?? [])
        .map(beside),
      after: [...new Set<string>([match?.nextMatchGuid, match?.loserMatchGuid])]
        .flatMap((guid) => find(guid) ?? [])
        .map(beside),
      upcoming: upcoming.slice(0, 5).map(beside),
      recent: recent.slice(0, 5).map(beside),
      highlighted: (asked.highlighted ?? []).flatMap((guid) => find(guid) ?? []).map(beside),
    },
    standings: rows.slice(0, 16).map((row) => ({
      ...only(row, ['rank', 'played', 'won', 'lost', 'points']),
      ...only(row.team, ['name', 'imageUrl']),
      value: null,
      isQualified: null,
    })),
    qualifier: (qualifier?.overallTeamStandings ?? [])
      .filter(({ rank }: Body) => rank !== null)
      .slice(0, 16)
      .map((row: Body) => ({
        ...only(row, ['rank', 'value', 'isQualified']),
        ...only(row.team, ['name', 'imageUrl']),
        played: null,
        won: null,
        lost: null,
        points: null,
      })),
    winners: tournament.placements
      .slice(0, 16)
      .map(({ place, team }: Body) => ({ place, ...only(team, ['name', 'imageUrl']) })),
    road: road.slice(0, 8).map(beside),
    statistics: await statisticsOf(matches, read, path),
  }
}

interface Candidate {
  readonly value: number
  readonly name: string
  readonly match: Body
  readonly map: string | null
  readonly player?: string
}

async function statisticsOf(matches: readonly Body[], read: (address: string) => Promise<Body>, path: string) {
  const done = matches.filter(({ status }) => status === 'completed')
  const namesOf = new Map<string, string>()
  const nameOf = async (guid: string) => {
    const known = namesOf.get(guid) ?? (await read(`/users/${guid}/card`)).preferredName
    namesOf.set(guid, known)
    return known as string
  }
  const both = ({ sides }: Body) => sides.map(({ team }: Body) => team?.name ?? '?').join(' – ')
  const accuracies: Candidate[] = []
  const misses: Candidate[] = []
  const replays: Candidate[] = []
  for (const match of done) {
    for (const game of match.games) {
      const map = game.map?.name ?? null
      const players = (game.players ?? []).filter(({ accuracy }: Body) => accuracy !== undefined)
      for (const { userGuid, accuracy } of players) {
        accuracies.push({ value: accuracy, name: await nameOf(userGuid), match, map, player: userGuid })
      }
      if (players.length > 0) continue
      for (const [index, { accuracy }] of game.sides.entries()) {
        if (accuracy === undefined) continue
        accuracies.push({ value: accuracy, name: match.sides[index].team.name, match, map })
      }
    }
    const state = await read(`${path}/matches/${match.guid}/flow`)
    if (state.session === null || state.status !== 'over') continue
    const { rows } = await read(`${path}/flow-sessions/${state.session}/log?limit=500`)
    const standing = rows.filter(({ undoneBy }: Body) => undoneBy === null)
    const corrected = new Map<string, Body>(
      standing.filter(({ kind }: Body) => kind === 'score_corrected').map(({ data }: Body) => [data.score, data.after]),
    )
    for (const { data } of standing.filter(({ kind }: Body) => kind === 'scores')) {
      const map = match.games.find(({ number }: Body) => number === data.game)?.map?.name ?? null
      for (const score of data.scores) {
        const value = (corrected.get(score.guid) ?? score).misses
        if (value > 0) misses.push({ value, name: await nameOf(score.user), match, map, player: score.user })
      }
    }
    const finals = new Set(state.games.filter(({ phase }: Body) => phase === 'final').map(({ game }: Body) => game))
    const played = state.claims.filter(({ status, game }: Body) => status === 'played' && finals.has(game)).length
    if (played > 0) replays.push({ value: played, name: both(match), match, map: null })
  }
  const lengths: Candidate[] = done.flatMap((match) => {
    const seconds = (Date.parse(match.completedAt) - Date.parse(match.startedAt)) / 1_000
    return seconds > 0 ? [{ value: seconds, name: both(match), match, map: null }] : []
  })
  return {
    highestAccuracy: first(accuracies, (a, b) => b.value - a.value),
    mostMisses: first(misses, (a, b) => b.value - a.value),
    mostReplays: first(replays, (a, b) => b.value - a.value),
    longest: first(lengths, (a, b) => b.value - a.value),
    shortest: first(lengths, (a, b) => a.value - b.value),
  }
}

/** Of equal candidates, that of the match that ended first. */
function first(all: readonly Candidate[], compare: (one: Candidate, other: Candidate) => number) {
  const text = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
  const [best] = all.toSorted(
    (one, other) =>
      compare(one, other) ||
      byTime(one.match.completedAt, other.match.completedAt) ||
      text(one.match.guid, other.match.guid) ||
      text(one.player ?? '', other.player ?? ''),
  )
  return best === undefined ? null : { name: best.name, value: best.value, match: best.match.number, map: best.map }
}

/** Values without a time come after those with one. */
function byTime(one: string | null, other: string | null): number {
  const at = (text: string | null) => (text === null ? Number.MAX_SAFE_INTEGER : Date.parse(text))
  return at(one) - at(other)
}

function only(record: Body, names: readonly string[]): Body {
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

const mapMembers = [
  ...['guid', 'hash', 'key', 'name', 'subName', 'artist', 'mapper', 'imageUrl', 'characteristic', 'difficulty'],
  ...['bpm', 'njs', 'nps', 'durationSeconds', 'notes', 'maxScore', 'starsA', 'starsB'],
]
