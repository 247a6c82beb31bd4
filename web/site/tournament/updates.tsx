import { useEffect, useState } from 'react'
import type { ListedTournamentUpdate } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import { usePages, useRead } from '../data/queries.ts'
import { useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { ChangeCards } from '../parts/change-cards.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { More } from '../parts/more.tsx'
import { Prose } from '../parts/prose.tsx'
import { Section } from '../parts/section.tsx'
import { Ago } from '../parts/time.tsx'
import styles from './updates.module.css'

/** What the organisers have told, newest first, each with an address of its own. */
export function Updates() {
  const tournament = useTournamentId()
  const read = useRead(listAddress(tournament), { live: true })
  const [isWhole, setWhole] = useState(false)
  const next = read.data?.nextCursor
  useShownAnchor(read.data !== undefined)
  return (
    <div className="page stack">
      <h1>{words('tournament.updates')}</h1>
      <Loaded of={read} rows={6}>
        {({ updates }) =>
          updates.length === 0 ? (
            <Empty>{words('updates.none')}</Empty>
          ) : (
            <>
              {updates.map((update) => (
                <One key={update.guid} update={update} />
              ))}
              {next != null && isWhole && <Older tournament={tournament} start={next} />}
              {next != null && !isWhole && (
                <p>
                  <button type="button" className="btn" onClick={() => setWhole(true)}>
                    {words('list.more')}
                  </button>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  )
}

const listAddress = (tournament: string) =>
  address('/tournaments/{tournament}/updates', { tournament }, { include: 'html', limit: 25 })

/** The first update that came before those that are followed is where this began: it does not move with new ones. */
function Older({ tournament, start }: { readonly tournament: string; readonly start: string }) {
  const [from] = useState(start)
  const pages = usePages(listAddress(tournament), from)
  return (
    <Loaded of={{ ...pages, data: pages.data?.pages.flatMap(({ updates }) => updates) }} rows={6}>
      {(updates) => (
        <>
          {updates.map((update) => (
            <One key={update.guid} update={update} />
          ))}
          <More of={pages} />
        </>
      )}
    </Loaded>
  )
}

/** An address that names an update shows it, which is there only once the list has come. */
function useShownAnchor(isThere: boolean): void {
  useEffect(() => {
    if (isThere && location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [isThere])
}

function One({ update }: { readonly update: ListedTournamentUpdate }) {
  const { guid, title, html, createdAt, updatedAt, changes } = update
  return (
    <article id={guid} className={styles.update}>
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
        {changes.length > 0 && <ChangeCards changes={changes} />}
      </Section>
    </article>
  )
}
