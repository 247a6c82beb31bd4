import type { Head, SitePage } from '../infra/http/site-pages.ts'
import { ofAdministration, ofReader, ofStaff, own } from './own.ts'
import { textOf, type WordId } from './words.ts'

/**
 * The addresses of the website, with what crawlers and chats are told about each. A page that lists reads is answered
 * with 404 where an anonymous reader may not see one of them. Titles are the words of the pages themselves. (W3, W4, W14)
 */

const tournament = '/tournaments/:tournament?include=timeline,html'
const divisions = '/tournaments/:tournament/divisions'
const platforms = '/tournament-platforms'
const bracket = '/tournaments/:tournament/brackets/:bracket?delayed=true'

interface Place {
  readonly id: string
  readonly guid: string
  readonly name: string
  readonly summary: string | null
  readonly bannerUrl: string | null
  readonly imageUrl: string | null
  readonly startsAt: string | null
  readonly endsAt: string | null
  readonly status: string
}

/** The smaller picture for cards, where the picture is a medium of the service. (M19) */
export function cardOf(url: string | null): string | null {
  return url?.endsWith('/full.webp') ? url.replace(/full\.webp$/, 'card.jpeg') : null
}

type Step = readonly [name: string, path: string]

function crumbs(origin: string, ...way: readonly Step[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: way.map(([name, path], at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: `${origin}${path}`,
    })),
  }
}

/** The way to a page of a tournament. */
const steps = (origin: string, { id, name }: Pick<Place, 'id' | 'name'>, ...way: readonly Step[]): object =>
  crumbs(origin, [textOf('frame.tournaments'), '/tournaments'], [name, `/t/${id}`], ...way)

function eventOf({ id, name, summary, startsAt, endsAt, status }: Place, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'SportsEvent',
    name,
    url: `${origin}/t/${id}`,
    ...(summary && { description: summary }),
    ...(startsAt && { startDate: startsAt }),
    ...(endsAt && { endDate: endsAt }),
    eventStatus: `https://schema.org/${status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url: `${origin}/t/${id}` },
  }
}

/** A page of a tournament; the head's title is this word and the name of the tournament. */
function ofTournament(path: string, word: WordId | null, more: Partial<SitePage> = {}): SitePage {
  return {
    path: `/t/:tournament${path}`,
    reads: [tournament],
    head: ([place]: readonly Place[], { origin, path: here }): Head => {
      const { id, name, summary, bannerUrl, imageUrl } = place as Place
      const title = word === null ? null : textOf(word)
      return {
        title: title === null ? name : `${title} · ${name}`,
        description: summary,
        image: cardOf(bannerUrl) ?? cardOf(imageUrl),
        type: 'website',
        feed: `/api/tournaments/${id}/calendar.ics`,
        linked: [
          eventOf(place as Place, origin),
          steps(origin, place as Place, ...(title === null ? [] : [[title, here] as const])),
        ],
      }
    },
    ...more,
  }
}

const plain = (path: string, title: WordId, description?: string, more: Partial<SitePage> = {}): SitePage => ({
  path,
  head: () => ({ title: textOf(title), ...(description && { description }) }),
  ...more,
})

/** A page that says what it is for in its own words. */
const described = (path: string, title: WordId, description: WordId): SitePage => ({
  path,
  head: () => ({ title: textOf(title), description: textOf(description) }),
})

/** A part of a tournament for other websites. Search engines are led to the whole page alone. */
const embedded = (path: string, title: WordId, reads: readonly string[] = []): SitePage => ({
  path: `/embed/t/:tournament${path}`,
  reads: [tournament, ...reads],
  isEmbed: true,
  head: ([place]) => ({ title: `${textOf(title)} · ${place.name}`, description: place.summary, isPrivate: true }),
})

interface Side {
  readonly team: { readonly name: string } | null
  readonly score: number | null
}

const nameOf = (side: Side | undefined) => side?.team?.name ?? 'to be decided'

const hourMs = 3_600_000

/** Running matches by the address under which the first page reads them: from a full hour on, so that readers share it. */
function runningMatches(now: number): readonly string[] {
  const hour = Math.floor(now / hourMs) * hourMs
  const [from, to] = [-24, 24].map((hours) => encodeURIComponent(new Date(hour + hours * hourMs).toISOString()))
  return [`/matches?status=running&limit=12&from=${from}&to=${to}`]
}

export const sitePages: readonly SitePage[] = [
  plain(
    '/',
    'frame.name',
    'Tournaments of competitive VR rhythm games: what is live now, what comes next, and where to sign up.',
    { more: runningMatches },
  ),
  plain('/tournaments', 'frame.tournaments', 'All tournaments: running, open for registration, and over.', {
    more: () => [platforms],
  }),
  {
    path: '/calendar',
    head: () => ({
      title: textOf('calendar.title'),
      description: 'What is planned: tournaments, registrations, qualifiers, matches and awards.',
      feed: '/api/calendar.ics',
    }),
    more: () => [platforms],
  },
  {
    path: '/p/:platform',
    reads: ['/tournament-platforms/:platform?include=html'],
    head: ([platform]) => ({ title: platform.name, description: `Tournaments that ${platform.name} lists.` }),
  },
  described('/maps', 'maps.title', 'maps.what'),
  {
    path: '/maps/:map',
    reads: ['/resources/pooling/maps/:map'],
    head: ([map], { origin, path }) => {
      const name = map.name ?? map.hash.slice(0, 8)
      return {
        title: name,
        description: `${[name, map.artist].filter(Boolean).join(' by ')}: where it was played, and what was made of it.`,
        linked: [crumbs(origin, [textOf('maps.title'), '/maps'], [name, path])],
      }
    },
  },
  {
    path: '/pools/:pool',
    reads: ['/resources/pooling/pools/:pool?include=html'],
    head: ([pool], { origin, path }) => ({
      title: `${pool.name} · ${pool.tournament.name}`,
      description: `The maps of ${pool.name}, a pool of ${pool.tournament.name}.`,
      linked: [crumbs(origin, [pool.tournament.name, `/t/${pool.tournament.id}`], [pool.name, path])],
    }),
  },
  described('/awards', 'awards.title', 'awards.what'),
  {
    path: '/awards/:edition',
    reads: ['/awards/:edition?include=html'],
    head: ([edition], { origin, path }) => ({
      title: edition.title,
      description: `${edition.title}: categories, nominees and results.`,
      image: cardOf(edition.bannerUrl),
      linked: [crumbs(origin, [textOf('awards.title'), '/awards'], [edition.title, path])],
    }),
  },
  described('/badges', 'badges.title', 'badges.what'),
  {
    path: '/badges/:badge',
    reads: ['/badges/:badge'],
    head: ([badge], { origin, path }) => ({
      title: badge.name,
      description: badge.description,
      linked: [crumbs(origin, [textOf('badges.title'), '/badges'], [badge.name, path])],
    }),
  },
  own('/search', 'search.title'),
  own('/offline', 'connection.title'),
  plain('/about', 'about.title', 'What Downbeat is, and who runs tournaments with it.'),
  plain('/about/accessibility', 'accessibility.title', 'How these pages can be used, and what does not work yet.'),
  plain('/about/licences', 'licences.title', 'The works of others that these pages are made with.'),
  plain('/packages', 'package-check.title', 'Whether the package of a tournament is whole, and who signed it.'),
  ofTournament('', null, { more: () => [divisions] }),
  ofTournament('/rules', 'tournament.rules'),
  ofTournament('/teams', 'tournament.teams'),
  {
    ...ofTournament('/teams/:team', 'standings.team', { more: () => [divisions] }),
    reads: [tournament, '/tournaments/:tournament/teams/:team'],
    head: ([place, team], { origin, path }) => ({
      title: `${team.name} · ${place.name}`,
      description: `${team.name} in ${place.name}: roster, matches and the way through the bracket.`,
      image: cardOf(team.imageUrl) ?? cardOf(place.bannerUrl),
      linked: [steps(origin, place, [team.name, path])],
    }),
  },
  ofTournament('/qualifier', 'tournament.qualifier'),
  ofTournament('/pools', 'tournament.pools'),
  {
    ...ofTournament('/pools/:pool', 'match.pool'),
    reads: [tournament, '/tournaments/:tournament/pools/:pool?include=html'],
    head: ([place, pool], { origin, path }) => ({
      title: `${pool.name} · ${place.name}`,
      description: `The maps of ${pool.name} of ${place.name}, with the playlist to download.`,
      image: cardOf(place.bannerUrl) ?? cardOf(place.imageUrl),
      linked: [steps(origin, place, [textOf('tournament.pools'), `/t/${place.id}/pools`], [pool.name, path])],
    }),
  },
  own('/t/:tournament/team', 'own-team.title'),
  own('/t/:tournament/availability/:sheet', 'availability.title'),
  ofTournament('/bracket', 'tournament.bracket'),
  {
    ...ofTournament('/bracket/:division/:bracket', 'tournament.bracket', { more: () => [divisions] }),
    reads: [tournament, bracket],
  },
  ofTournament('/matches', 'tournament.matches'),
  {
    ...ofTournament('/m/:division/:number', 'match.match', { hasPlayer: true }),
    reads: [tournament, '/tournaments/:tournament/matches/:number?division=:division&delayed=true'],
    head: ([place, match], { origin, path }) => {
      const [first, second] = match.sides as readonly Side[]
      const pairing = `${nameOf(first)} against ${nameOf(second)}`
      const isOver = match.status === 'completed' && first?.score !== null && second?.score !== null
      const score = isOver ? `${nameOf(first)} ${first?.score}, ${nameOf(second)} ${second?.score}.` : `${pairing}.`
      return {
        title: `${pairing} · ${place.name}`,
        description: `Match ${match.number} of ${place.name}, best of ${match.bestOf}. ${score}`,
        image: cardOf(place.bannerUrl) ?? cardOf(place.imageUrl),
        type: 'article',
        linked: [
          {
            ...eventOf(place, origin),
            name: pairing,
            url: `${origin}${path}`,
            ...(match.scheduledAt && { startDate: match.scheduledAt }),
            superEvent: { '@type': 'SportsEvent', name: place.name, url: `${origin}/t/${place.id}` },
          },
          steps(origin, place, [pairing, path]),
        ],
      }
    },
  },
  {
    ...ofTournament('/standings/:bracket', 'standings.title', { more: () => [divisions] }),
    reads: [tournament, '/tournaments/:tournament/brackets/:bracket/standings?delayed=true'],
  },
  ofTournament('/schedule', 'tournament.schedule', { hasPlayer: true }),
  embedded('/bracket/:bracket', 'tournament.bracket', [bracket]),
  embedded('/schedule', 'tournament.schedule'),
  ofTournament('/updates', 'tournament.updates'),
  ofTournament('/staff', 'tournament.staff'),
  {
    path: '/u/:user',
    reads: ['/users/:user/card'],
    hasPlayer: true,
    head: ([card]) => ({
      title: card.preferredName ?? card.username,
      description: card.bio,
      type: 'profile',
    }),
  },
  ...ofStaff,
  ...ofAdministration,
  ...ofReader,
]
