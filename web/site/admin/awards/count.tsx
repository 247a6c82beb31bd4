import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Awards } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { AwardRecount, AwardResult } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { Danger } from '../../parts/danger.tsx'
import { TextValue } from '../../parts/form/fields.tsx'
import { Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import styles from './awards.module.css'

/** Counts the sealed votes again, shows what differs from what is published, and puts it right for everybody to read. (A11) */
export function Count({ awards }: { readonly awards: Awards }) {
  const { guid, id, status } = awards
  const isPublished = status === 'published'
  const [found, setFound] = useState<AwardRecount | null>(null)
  const recount = useWrite('POST /awards/{edition}/recount', (_known, reply) => {
    setFound(reply)
    say(words('admin-awards.counted'))
  })
  const count = () => void recount.send({ params: { edition: guid }, body: { apply: false } })
  return (
    <Section title={words('admin-awards.part-count')}>
      <div className={styles.next}>
        <p className="muted">{words(isPublished ? 'admin-awards.recount-what' : 'admin-awards.recount-before')}</p>
        <p className="btns">
          <button type="button" className="btn btn-primary" aria-disabled={recount.isSending} onClick={count}>
            {words('admin-awards.recount')}
          </button>
          {isPublished && (
            <Link to="/awards/$edition" params={{ edition: id }} className="btn">
              {words('admin-awards.results')}
            </Link>
          )}
        </p>
        {recount.error && <Failure error={recount.error} again={count} isTrying={recount.isSending} />}
        <div role="status">{found !== null && <Found awards={awards} found={found} />}</div>
        {isPublished && found !== null && <Correction awards={awards} found={found} done={setFound} />}
      </div>
    </Section>
  )
}

interface FoundProps {
  readonly awards: Awards
  readonly found: AwardRecount
}

function Found({ awards, found: { agrees, differences, ballotsDigest } }: FoundProps) {
  const published = usePublished(awards)?.ballotsDigest ?? null
  return (
    <div className={styles.found}>
      <p>
        {agrees === null ? (
          words('admin-awards.votes-deleted')
        ) : (
          <State shape={agrees ? 'done' : 'problem'} {...(!agrees && { tone: 'alert' as const })}>
            {words(agrees ? 'admin-awards.agrees' : 'admin-awards.disagrees')}
          </State>
        )}
      </p>
      {awards.status === 'published' && (
        <>
          {ballotsDigest !== null && published !== null && (
            <p>
              <State
                shape={ballotsDigest === published ? 'done' : 'problem'}
                {...(ballotsDigest !== published && { tone: 'alert' as const })}
              >
                {words(ballotsDigest === published ? 'admin-awards.digest-same' : 'admin-awards.digest-other')}
              </State>{' '}
              <span className={`code small ${styles.digest}`}>{ballotsDigest}</span>
            </p>
          )}
          {differences.length === 0 ? (
            <State shape="done">{words('admin-awards.no-differences')}</State>
          ) : (
            <Differences awards={awards} of={differences} />
          )}
        </>
      )}
    </div>
  )
}

const usePublished = ({ guid, status }: Awards) =>
  useRead(status === 'published' ? address('/awards/{edition}/results', { edition: guid }) : null).data

function Differences({ awards, of }: { readonly awards: Awards; readonly of: AwardRecount['differences'] }) {
  const nameOf = (categoryGuid: string, nomineeGuid: string) => {
    const category = awards.categories.find(({ guid }) => guid === categoryGuid)
    return [category?.name, category?.nominees?.find(({ guid }) => guid === nomineeGuid)?.label] as const
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls by itself is reached by the Tab key
    <section className="wide-content" tabIndex={0} aria-label={words('admin-awards.differences')}>
      <table className={`table ${styles.differences}`}>
        <caption className="strong">{words('admin-awards.differ', { count: of.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{words('admin-awards.nominee')}</th>
            <th scope="col">{words('admin-awards.category')}</th>
            <th scope="col">{words('admin-awards.was')}</th>
            <th scope="col">{words('admin-awards.counted-now')}</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ categoryGuid, nomineeGuid, before, after }) => {
            const [category, nominee] = nameOf(categoryGuid, nomineeGuid)
            return (
              <tr key={nomineeGuid}>
                <th scope="row">
                  <bdi>{nominee}</bdi>
                </th>
                <td>
                  <bdi>{category}</bdi>
                </td>
                <td>{placeOf(before)}</td>
                <td>{placeOf(after)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function placeOf(result: AwardResult | null): string {
  if (result === null || result.place === null) return '–'
  const { place, votes } = result
  return votes === null ? words('admin-awards.placed', { place }) : words('admin-awards.placed-by', { place, votes })
}

function Correction({ awards, found, done }: FoundProps & { readonly done: (found: AwardRecount) => void }) {
  const { guid, title } = awards
  const published = usePublished(awards)
  const [reason, setReason] = useState('')
  const apply = useWrite('POST /awards/{edition}/recount', (known, reply) => {
    done({ ...reply, differences: [] })
    known.renew('/awards')
    say(words('admin-awards.applied'))
  })
  const { differences, agrees, ballotsDigest } = found
  const isSame = ballotsDigest === null || published?.ballotsDigest === ballotsDigest
  if (found.applied)
    return (
      <p className="strong" role="status">
        {words('admin-awards.applied')}
      </p>
    )
  if (differences.length === 0 && agrees !== false && isSame) return null
  const winners = differences.filter(({ before, after }) => before?.winner !== after?.winner).length
  return (
    <Danger
      label={words('admin-awards.apply')}
      title={words('admin-awards.apply-title', { title })}
      typed={title}
      isReady={reason.trim() !== ''}
      error={apply.error}
      isSending={apply.isSending}
      act={() => apply.send({ params: { edition: guid }, body: { apply: true, reason: reason.trim() } })}
    >
      <p>{words('admin-awards.apply-what', { count: differences.length, winners })}</p>
      <TextValue
        name="reason"
        label={words('admin-awards.apply-reason')}
        value={reason}
        change={setReason}
        maxLength={500}
        isRequired
      />
    </Danger>
  )
}
