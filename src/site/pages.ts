import type { Head, SitePage } from '../infra/http/site-pages.ts'

/**
 * The addresses of the website, with what crawlers and chats are told about each. A page that lists reads is answered
 * with 404 where an anonymous reader may not see one of them. (W3, W4)
 */

const tournament = '/tournaments/:tournament?include=timeline,html'
const divisions = '/tournaments/:tournament/divisions'
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

function crumbs(origin: string, ...steps: readonly (readonly [name: string, path: string])[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([name, path], at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: `${origin}${path}`,
    })),
  }
}

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

/** A page of the reader alone, about which strangers are told nothing. */
function own(path: string, title: string): SitePage {
  return { path, head: () => ({ title, isPrivate: true }) }
}

/** A page of a tournament; the head's title is `title` and the name of the tournament. */
function ofTournament(path: string, title: string | null, more: Partial<SitePage> = {}): SitePage {
  return {
    path: `/t/:tournament${path}`,
    reads: [tournament],
    head: ([place]: readonly Place[], { origin, path: here }): Head => {
      const { id, name, summary, bannerUrl, imageUrl } = place as Place
      return {
        title: title === null ? name : `${title} · ${name}`,
        description: summary,
        image: cardOf(bannerUrl) ?? cardOf(imageUrl),
        type: 'website',
        feed: `/api/tournaments/${id}/calendar.ics`,
        linked: [
          eventOf(place as Place, origin),
          crumbs(
            origin,
            ['Tournaments', '/tournaments'],
            [name, `/t/${id}`],
            ...(title === null ? [] : [[title, here] as const]),
          ),
        ],
      }
    },
    ...more,
  }
}

const plain = (path: string, title: string, description?: string, isPrivate = false): SitePage => ({
  path,
  head: () => ({ title, ...(description && { description }), isPrivate }),
})

/** A part of a tournament for other websites. Search engines are led to the whole page alone. */
const embedded = (path: string, title: string, reads: readonly string[] = []): SitePage => ({
  path: `/embed/t/:tournament${path}`,
  reads: [tournament, ...reads],
  isEmbed: true,
  head: ([place]) => ({ title: `${title} · ${place.name}`, description: place.summary, isPrivate: true }),
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
  {
    ...plain(
      '/',
      'Downbeat',
      'Tournaments of competitive VR rhythm games: what is live now, what comes next, and where to sign up.',
    ),
    more: runningMatches,
  },
  plain('/tournaments', 'Tournaments', 'All tournaments: running, open for registration, and over.'),
  {
    path: '/calendar',
    head: () => ({
      title: 'Calendar',
      description: 'What is planned: tournaments, registrations, qualifiers, matches and awards.',
      feed: '/api/calendar.ics',
    }),
  },
  {
    path: '/p/:platform',
    reads: ['/tournament-platforms/:platform'],
    head: ([platform]) => ({ title: platform.name, description: `Tournaments that ${platform.name} lists.` }),
  },
  plain('/maps', 'Maps', 'Every map that stood in a published pool, and where it was played.'),
  {
    path: '/maps/:map',
    reads: ['/resources/pooling/maps/:map'],
    head: ([map], { origin, path }) => {
      const name = map.name ?? map.hash.slice(0, 8)
      return {
        title: name,
        description: `${[name, map.artist].filter(Boolean).join(' by ')}: where it was played, and what was made of it.`,
        linked: [crumbs(origin, ['Maps', '/maps'], [name, path])],
      }
    },
  },
  {
    path: '/pools/:pool',
    reads: ['/resources/pooling/pools/:pool'],
    head: ([pool], { origin, path }) => ({
      title: `${pool.name} · ${pool.tournament.name}`,
      description: `The maps of ${pool.name}, a pool of ${pool.tournament.name}.`,
      linked: [crumbs(origin, [pool.tournament.name, `/t/${pool.tournament.id}`], [pool.name, path])],
    }),
  },
  plain('/awards', 'Awards', 'Who and what the community honours, by nominations and votes.'),
  {
    path: '/awards/:edition',
    reads: ['/awards/:edition'],
    head: ([edition], { origin, path }) => ({
      title: edition.title,
      description: `${edition.title}: categories, nominees and results.`,
      image: cardOf(edition.bannerUrl),
      linked: [crumbs(origin, ['Awards', '/awards'], [edition.title, path])],
    }),
  },
  plain('/badges', 'Badges', 'What people were honoured with: places, taking part, help, awards.'),
  {
    path: '/badges/:badge',
    reads: ['/badges/:badge'],
    head: ([badge], { origin, path }) => ({
      title: badge.name,
      description: badge.description,
      linked: [crumbs(origin, ['Badges', '/badges'], [badge.name, path])],
    }),
  },
  plain('/search', 'Search', undefined, true),
  plain('/offline', 'Without a connection', undefined, true),
  plain('/about', 'About Downbeat', 'What Downbeat is, and who runs tournaments with it.'),
  plain('/about/accessibility', 'Accessibility', 'How these pages can be used, and what is known not to work yet.'),
  plain('/about/licences', 'Licences', 'The works of others that these pages are made with.'),
  ofTournament('', null, { more: () => [divisions] }),
  ofTournament('/rules', 'Rules'),
  ofTournament('/teams', 'Teams'),
  {
    ...ofTournament('/teams/:team', 'Team'),
    reads: [tournament, '/tournaments/:tournament/teams/:team'],
    head: ([place, team], { origin, path }) => ({
      title: `${team.name} · ${place.name}`,
      description: `${team.name} in ${place.name}: roster, matches and the way through the bracket.`,
      image: cardOf(team.imageUrl) ?? cardOf(place.bannerUrl),
      linked: [crumbs(origin, ['Tournaments', '/tournaments'], [place.name, `/t/${place.id}`], [team.name, path])],
    }),
  },
  ofTournament('/qualifier', 'Qualifier'),
  ofTournament('/pools', 'Map pools'),
  {
    ...ofTournament('/pools/:pool', 'Map pool'),
    reads: [tournament, '/tournaments/:tournament/pools/:pool'],
    head: ([place, pool], { origin, path }) => ({
      title: `${pool.name} · ${place.name}`,
      description: `The maps of ${pool.name} of ${place.name}, with the playlist to download.`,
      image: cardOf(place.bannerUrl) ?? cardOf(place.imageUrl),
      linked: [
        crumbs(
          origin,
          ['Tournaments', '/tournaments'],
          [place.name, `/t/${place.id}`],
          ['Map pools', `/t/${place.id}/pools`],
          [pool.name, path],
        ),
      ],
    }),
  },
  own('/t/:tournament/team', 'Your team'),
  own('/t/:tournament/availability/:sheet', 'Availability'),
  ofTournament('/bracket', 'Bracket'),
  {
    ...ofTournament('/bracket/:division/:bracket', 'Bracket', { more: () => [divisions] }),
    reads: [tournament, bracket],
  },
  ofTournament('/matches', 'Matches'),
  {
    ...ofTournament('/m/:division/:number', 'Match', { hasPlayer: true }),
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
          crumbs(origin, ['Tournaments', '/tournaments'], [place.name, `/t/${place.id}`], [pairing, path]),
        ],
      }
    },
  },
  {
    ...ofTournament('/standings/:bracket', 'Standings'),
    reads: [tournament, '/tournaments/:tournament/brackets/:bracket/standings?delayed=true'],
  },
  ofTournament('/schedule', 'Schedule', { hasPlayer: true }),
  embedded('/bracket/:bracket', 'Bracket', [bracket]),
  embedded('/schedule', 'Schedule'),
  ofTournament('/updates', 'Updates'),
  ofTournament('/staff', 'Staff'),
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
  own('/new', 'New tournament'),
  own('/manage/:tournament', 'What is due'),
  own('/manage/:tournament/settings', 'Settings'),
  own('/manage/:tournament/registration', 'Registration'),
  own('/manage/:tournament/registration/import', 'Import sign-ups'),
  own('/manage/:tournament/staff', 'Staff'),
  own('/manage/:tournament/timeline', 'Timeline'),
  own('/manage/:tournament/visibility', 'Visibility'),
  own('/claim', 'Take over your places'),
  own('/me', 'Agenda'),
  own('/me/profile', 'Profile'),
  own('/me/notifications', 'Notifications'),
  own('/me/settings', 'Settings'),
  own('/users/@me/settings', 'Settings'),
  own('/me/sessions', 'Sign-ins'),
  own('/me/account', 'Account'),
  own('/me/teams', 'Your teams'),
  own('/me/badges', 'Your badges'),
  own('/me/applications', 'Your applications'),
  own('/me/applications/:application', 'Application'),
  own('/me/streaming', 'Streaming'),
  own('/me/media', 'Your uploads'),
]
