import { Link, useParams } from '@tanstack/react-router'
import type { ListedTournament, UserCard } from '../../../client/generated.ts'
import { FaultOf } from '../chrome/faults.tsx'
import { ApiError, address } from '../data/api.ts'
import { usePages, useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Picture } from '../parts/badge.tsx'
import { countryOf } from '../parts/country.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import { Spoken } from '../parts/spoken.tsx'
import { State } from '../parts/state.tsx'
import { Face } from '../parts/team.tsx'
import { Ago, Instant, Span } from '../parts/time.tsx'
import styles from './user.module.css'

/** A person: who they are, where they play, what they were honoured with. */
export function User() {
  const { user } = useParams({ from: '/u/$user' })
  const read = useRead(address('/users/{user}/card', { user }))
  if (read.data === undefined && read.error !== null) {
    if (read.error instanceof ApiError && read.error.status === 404) return <Former />
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  }
  return (
    <div className="page stack">
      <Loaded of={read} rows={8} hasTitle>
        {(card) => <Shown card={card} />}
      </Loaded>
    </div>
  )
}

/** Results and rosters lead here of people who gave up their account: the service knows nothing of them any more. */
function Former() {
  return (
    <div className="page stack">
      <h1>{words('user.former')}</h1>
      <Empty>{words('user.former-text')}</Empty>
    </div>
  )
}

function Shown({ card }: { readonly card: UserCard }) {
  const profile = useRead(address('/users/{user}', { user: card.guid }, { include: 'html' })).data
  return (
    <>
      <header className={styles.head}>
        <Face name={card.preferredName} picture={card.avatarUrl} />
        <div>
          <h1>
            <bdi>{card.preferredName}</bdi>
          </h1>
          {card.pronunciation !== null && (
            <p>
              <Spoken of={card.pronunciation} />
            </p>
          )}
          <p className="muted">
            {card.username !== card.preferredName && <bdi className={styles.login}>{card.username}</bdi>}
            {[
              ...(card.pronouns === null ? [] : [card.pronouns]),
              ...(card.country === null ? [] : [countryOf(card.country)]),
            ].join(', ')}
          </p>
          <Streaming user={card.guid} />
        </div>
      </header>
      {card.isPlaceholder && <p className="notice">{words('user.placeholder')}</p>}
      <div className="two">
        <div className="stack">
          {profile?.html?.description && (
            <Section title={words('tournament.about')}>
              <Prose html={profile.html.description} />
            </Section>
          )}
          <Tournaments user={card.guid} />
        </div>
        <div className="stack">
          <Facts card={card} />
          <Badges user={card.guid} />
          <Organised user={card.guid} />
        </div>
      </div>
    </>
  )
}

function Streaming({ user }: { readonly user: string }) {
  const stream = useRead(address('/users/{user}/stream', { user })).data
  if (stream?.live !== true) return null
  return (
    <p>
      <State shape="running" tone="run">
        {words('user.streams')}
      </State>
      {stream.since !== null && (
        <span className="muted">
          {' '}
          <Ago at={stream.since} />
        </span>
      )}
    </p>
  )
}

function Facts({ card }: { readonly card: UserCard }) {
  const { joinedAt, tournamentsPlayed, rankingIdA, rankingIdB, streamingName, roles, isPlaceholder } = card
  const linked = [
    [words('user.ranking', { platform: 'A' }), rankingIdA],
    [words('user.ranking', { platform: 'B' }), rankingIdB],
    [words('user.streaming'), streamingName],
  ] as const
  return (
    <Section title={words('tournament.facts')}>
      <dl className="facts">
        {!isPlaceholder && (
          <>
            <dt>{words('user.since')}</dt>
            <dd>
              <Instant at={joinedAt} as="day" /> {new Date(joinedAt).getFullYear()}
            </dd>
          </>
        )}
        {tournamentsPlayed > 0 && (
          <>
            <dt>{words('user.played')}</dt>
            <dd>{words('user.tournaments', { count: tournamentsPlayed })}</dd>
          </>
        )}
        {roles.length > 0 && (
          <>
            <dt>{words('user.roles')}</dt>
            <dd>{roles.map((role) => words(`user.role-${role}`)).join(', ')}</dd>
          </>
        )}
        {linked.map(([name, id]) =>
          id === null
            ? null
            : [
                <dt key={`${name} name`}>{name}</dt>,
                <dd key={name} className={styles.id}>
                  <bdi>{id}</bdi>
                </dd>,
              ],
        )}
      </dl>
    </Section>
  )
}

function Tournaments({ user }: { readonly user: string }) {
  const pages = usePages(address('/tournaments', {}, { participant: user, limit: 25 }))
  const found = pages.data?.pages.flatMap(({ tournaments }) => tournaments)
  // Only signed-in readers see which team somebody plays in.
  const { user: reader } = useReader()
  const teams = useRead(reader ? address('/userWithOngoingTournaments/{user}', { user }) : null).data?.playerRoles
  return (
    <Section title={words('user.plays')}>
      <Loaded of={{ ...pages, data: found }} rows={4}>
        {(tournaments) =>
          tournaments.length === 0 ? (
            <Empty>{words('user.plays-none')}</Empty>
          ) : (
            <>
              <ul className="lines">
                {tournaments.map((tournament) => (
                  <Played
                    key={tournament.guid}
                    tournament={tournament}
                    team={teams?.find((role) => role.tournament.guid === tournament.guid)?.team}
                  />
                ))}
              </ul>
              <More of={pages} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

interface PlayedProps {
  readonly tournament: ListedTournament
  readonly team: { readonly guid: string; readonly id: string; readonly name: string } | undefined
}

function Played({ tournament, team }: PlayedProps) {
  const { id, name, status, startsAt, endsAt, placements } = tournament
  const place = placements.find((each) => each.team.guid === team?.guid)?.place
  return (
    <li className={styles.played}>
      <div>
        <Link to="/t/$tournament" params={{ tournament: id }} className="plain strong">
          <bdi>{name}</bdi>
        </Link>
        <p className="muted">
          {team !== undefined && (
            <>
              <Link to="/t/$tournament/teams/$team" params={{ tournament: id, team: team.id }} className="plain">
                <bdi>{team.name}</bdi>
              </Link>
              {', '}
            </>
          )}
          <Span from={startsAt} to={endsAt} />
        </p>
      </div>
      <span className={place === undefined ? 'muted' : 'strong'}>
        {place === undefined ? words(`status.${status}`) : words('user.place', { place })}
      </span>
    </li>
  )
}

function Organised({ user }: { readonly user: string }) {
  const read = useRead(address('/tournaments', {}, { organiser: user, limit: 10 })).data
  if (read === undefined || read.tournaments.length === 0) return null
  return (
    <Section
      title={words('user.organises')}
      beside={
        read.nextCursor !== null && (
          <Link to="/tournaments" search={{ organiser: user }}>
            {words('home.all')}
          </Link>
        )
      }
    >
      <ul className="lines">
        {read.tournaments.map(({ guid, id, name, status }) => (
          <li key={guid} className={styles.line}>
            <Link to="/t/$tournament" params={{ tournament: id }} className="plain">
              <bdi>{name}</bdi>
            </Link>
            <span className="muted">{words(`status.${status}`)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Badges({ user }: { readonly user: string }) {
  const pages = usePages(address('/users/{user}/badges', { user }, { limit: 12 }))
  const badges = pages.data?.pages.flatMap((page) => page.badges) ?? []
  if (badges.length === 0) return null
  return (
    <Section title={words('user.badges')}>
      <ul className="lines">
        {badges.map((badge) => (
          <li key={badge.guid} className={styles.badge}>
            <Picture address={badge.imageUrl} name={badge.name} />
            <div>
              <Link to="/badges/$badge" params={{ badge: badge.badgeGuid }} className="plain strong">
                <bdi>{badge.name}</bdi>
              </Link>
              <p className="small muted">
                {badge.label !== null && (
                  <>
                    <bdi>{badge.label}</bdi>
                    {', '}
                  </>
                )}
                <Instant at={badge.awardedAt} as="day" />
              </p>
            </div>
          </li>
        ))}
      </ul>
      <More of={pages} />
    </Section>
  )
}
