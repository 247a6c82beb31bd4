import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import { Ago } from '../parts/time.tsx'
import { useTournamentId } from './reads.ts'
import styles from './updates.module.css'

/** What the organisers have told, newest first, each with an address of its own. */
export function Updates() {
  const tournament = useTournamentId()
  const read = useRead(address('/tournaments/{tournament}/updates', { tournament }, { include: 'html' }), {
    live: true,
  })
  return (
    <div className="page stack">
      <h1>{words('tournament.updates')}</h1>
      <Loaded of={read} rows={6}>
        {({ updates }) =>
          updates.length === 0 ? (
            <Empty>{words('updates.none')}</Empty>
          ) : (
            updates.map(({ guid, title, html, createdAt, updatedAt, changes }) => (
              <article key={guid} id={guid}>
                <Section
                  title={
                    <a href={`#${guid}`} className="plain" dir="auto">
                      {title === '' ? words('updates.untitled') : title}
                    </a>
                  }
                  beside={
                    <span className="muted">
                      <Ago at={createdAt} />
                      {updatedAt !== null && <> {words('updates.edited')}</>}
                    </span>
                  }
                >
                  {html?.content !== undefined && <Prose html={html.content} />}
                  {changes.length > 0 && <Changes changes={changes} />}
                </Section>
              </article>
            ))
          )
        }
      </Loaded>
    </div>
  )
}

const textOf = (value: unknown) =>
  value === null || value === undefined ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)

function Changes({ changes }: { readonly changes: readonly Readonly<Record<string, unknown>>[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map((change, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards have no names of their own, and never change places
        <div key={at}>
          <dt dir="auto">{textOf(change.title ?? change.field ?? change.name)}</dt>
          <dd>
            <s dir="auto">{textOf(change.before)}</s> <span aria-hidden="true">→</span>{' '}
            <b dir="auto">{textOf(change.after)}</b>
          </dd>
        </div>
      ))}
    </dl>
  )
}
