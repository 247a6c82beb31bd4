import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Face, TeamLink } from '../parts/team.tsx'
import styles from './search.module.css'

/** What has such a name, by kind. */

const route = getRouteApi('/search')

export function Search() {
  const { q } = route.useSearch()
  const navigate = useNavigate({ from: '/search' })
  const read = useRead(q === undefined ? null : address('/search', {}, { q }))
  return (
    <div className="page stack">
      <h1>{words('search.title')}</h1>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const text = String(new FormData(event.currentTarget).get('q') ?? '').trim()
          void navigate({ search: text === '' ? {} : { q: text } })
        }}
      >
        <input
          key={q}
          className="in"
          type="search"
          name="q"
          data-shortcut="/"
          defaultValue={q}
          maxLength={100}
          aria-label={words('search.what')}
          placeholder={words('search.what')}
        />
        <button type="submit" className="btn btn-primary">
          {words('search.do')}
        </button>
      </form>
      {q !== undefined && (
        <Loaded of={read} rows={6}>
          {({ users, tournaments, teams, maps }) =>
            users.length + tournaments.length + teams.length + maps.length === 0 ? (
              <Empty>{words('search.no-hit', { q })}</Empty>
            ) : (
              <>
                {tournaments.length > 0 && (
                  <Section title={words('frame.tournaments')}>
                    <ul className={`lines ${styles.hits}`}>
                      {tournaments.map(({ guid, id, name, imageUrl }) => (
                        <li key={guid}>
                          <Face name={name} picture={imageUrl} isTeam />
                          <Link to="/t/$tournament" params={{ tournament: id }} className="plain">
                            <bdi>{name}</bdi>
                          </Link>
                        </li>
                      ))}
                    </ul>
                  </Section>
                )}
                {teams.length > 0 && (
                  <Section title={words('tournament.teams')}>
                    <ul className={`lines ${styles.hits}`}>
                      {teams.map((team) => (
                        <li key={team.guid}>
                          <Face name={team.name} picture={team.imageUrl} isTeam />
                          <TeamLink team={team} tournament={team.tournament.id} />
                          <bdi className="muted">{team.tournament.name}</bdi>
                        </li>
                      ))}
                    </ul>
                  </Section>
                )}
                {users.length > 0 && (
                  <Section title={words('search.people')}>
                    <ul className={`lines ${styles.hits}`}>
                      {users.map((user) => (
                        <li key={user.guid}>
                          <Face name={user.preferredName ?? user.username} picture={user.avatarUrl} />
                          <Link to="/u/$user" params={{ user: user.guid }} className="plain">
                            <bdi>{user.preferredName ?? user.username}</bdi>
                          </Link>
                        </li>
                      ))}
                    </ul>
                  </Section>
                )}
                {maps.length > 0 && (
                  <Section title={words('search.maps')}>
                    <ul className={`lines ${styles.hits}`}>
                      {maps.map((map) => (
                        <li key={map.guid}>
                          <Link to="/maps/$map" params={{ map: map.guid }} className="plain">
                            <bdi>{map.name}</bdi>
                          </Link>
                        </li>
                      ))}
                    </ul>
                  </Section>
                )}
              </>
            )
          }
        </Loaded>
      )}
    </div>
  )
}
