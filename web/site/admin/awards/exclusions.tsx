import type { Awards } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { AwardExclusion } from '../../data/generated.ts'
import { usePages } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Empty, Failure, Loaded } from '../../parts/loaded.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './awards.module.css'

/** Whose votes are left out, why, and what they say to it. While votes are counted it can be undone. (A7) */
export function Exclusions({ awards }: { readonly awards: Awards }) {
  const pages = usePages(address('/admin/awards/{edition}/exclusions', { edition: awards.guid }, { limit: 50 }))
  const found = pages.data?.pages.flatMap(({ exclusions }) => exclusions)
  return (
    <Section title={words('admin-awards.excluded')}>
      <Loaded of={{ ...pages, data: found }} rows={2}>
        {(all) =>
          all.length === 0 ? (
            <Empty>{words('admin-awards.excluded-none')}</Empty>
          ) : (
            <>
              <ul className="lines">
                {all.map((exclusion) => (
                  <Line key={exclusion.user.guid} awards={awards} exclusion={exclusion} />
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

function Line({ awards, exclusion }: { readonly awards: Awards; readonly exclusion: AwardExclusion }) {
  const { user, reason, answer, answeredAt, excludedBy, createdAt } = exclusion
  const lift = useWrite('DELETE /admin/awards/{edition}/exclusions/{user}', (known) => known.renew('/admin/awards'))
  const send = () => void lift.send({ params: { edition: awards.guid, user: user.guid } })
  return (
    <li className={styles.excluded}>
      <div>
        <p>
          <a href={`/u/${user.guid}`} className="plain strong">
            <bdi>{user.preferredName ?? user.username}</bdi>
          </a>{' '}
          <span className="muted">
            <bdi>{excludedBy?.preferredName ?? '–'}</bdi>, <Instant at={createdAt} />
          </span>
        </p>
        <p dir="auto">{reason}</p>
        {answer !== null && answeredAt !== null && (
          <p className="notice">
            <span>
              {words('admin-awards.answered')} <Instant at={answeredAt} />:
            </span>
            <bdi>{answer}</bdi>
          </p>
        )}
        {lift.error && <Failure error={lift.error} again={send} isTrying={lift.isSending} />}
      </div>
      {awards.status === 'counting' && (
        <button type="button" className="btn" aria-disabled={lift.isSending} onClick={send}>
          {words('admin-awards.lift')}
          <span className="unseen"> {user.preferredName ?? user.username}</span>
        </button>
      )}
    </li>
  )
}
