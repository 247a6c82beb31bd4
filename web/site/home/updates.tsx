import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { address, request } from '../data/api.ts'
import type { Reads } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Ago } from '../parts/time.tsx'
import styles from './home.module.css'

/** What organisers told last, of the tournaments that are played or come next. */

type Told = Reads['/tournaments/{tournament}/updates']['body']

/** Of so many tournaments that are played, and so many that come, the newest updates are asked for. */
const asked = 4
const shown = 6

export function Updates() {
  const current = useRead(address('/tournaments', {}, { status: 'ongoing', limit: asked }))
  const coming = useRead(address('/tournaments', {}, { status: 'approved', limit: asked }))
  const tournaments = [...(current.data?.tournaments ?? []), ...(coming.data?.tournaments ?? [])]
  const answers = useQueries({
    queries: tournaments.map(({ id }) => {
      const path = address('/tournaments/{tournament}/updates', { tournament: id }, { limit: 3 })
      return {
        queryKey: [path],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => request<Told>(path, { signal }),
      }
    }),
  })
  const isWaiting = coming.isPending || answers.some(({ isPending }) => isPending)
  const updates = answers
    .flatMap(({ data }, at) => data?.updates.map((update) => ({ update, place: tournaments[at] })) ?? [])
    .toSorted((one, other) => other.update.createdAt.localeCompare(one.update.createdAt))
    .slice(0, shown)
  return (
    <Section title={words('tournament.updates')}>
      <Loaded of={{ ...current, data: isWaiting ? undefined : current.data }} rows={3}>
        {() =>
          updates.length === 0 ? (
            <Empty>{words('home.no-updates')}</Empty>
          ) : (
            <ul className="lines">
              {updates.map(({ update: { guid, title, createdAt }, place }) => (
                <li key={guid} className={styles.update}>
                  <Link
                    to="/t/$tournament/updates"
                    params={{ tournament: place?.id ?? '' }}
                    hash={guid}
                    className="plain strong"
                  >
                    <bdi>{title === '' ? words('updates.untitled') : title}</bdi>
                  </Link>
                  <p className="small muted">
                    <bdi>{place?.name}</bdi>, <Ago at={createdAt} />
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
