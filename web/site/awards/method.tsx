import { useState } from 'react'
import type { Awards } from '../../../client/generated.ts'
import { address } from '../data/api.ts'
import type { AwardResults } from '../data/generated.ts'
import { useRead, useRenewal } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Failure, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './awards.module.css'
import { countAgain, type Recounted } from './recount.ts'

/** How results came about, what was corrected since, and how anybody counts again. (A10, A11) */
export function Method({ awards: { guid, updatedAt } }: { readonly awards: Awards }) {
  const at = address('/awards/{edition}/results', { edition: guid })
  const read = useRead(at)
  // A correction changes the results of an edition that is read live.
  useRenewal(at, updatedAt)
  return (
    <Section title={words('awards.counted')}>
      <Loaded of={read} rows={3}>
        {(results) => (
          <div className={styles.method}>
            <p>
              {words('awards.voters', { count: results.voters })}{' '}
              {words('awards.excluded', { count: results.excluded.votes })} {words('awards.method')}
            </p>
            {results.ballotsDigest === null ? (
              <p>{words('awards.withheld')}</p>
            ) : (
              <>
                <p>{words('awards.digest')}</p>
                <p className={`code small ${styles.digest}`}>{results.ballotsDigest}</p>
                {results.runoffDigest !== null && (
                  <>
                    <p>{words('awards.runoff-digest')}</p>
                    <p className={`code small ${styles.digest}`}>{results.runoffDigest}</p>
                  </>
                )}
                <Again key={`${results.ballotsDigest}${results.runoffDigest}`} results={results} />
                <p>
                  <a href={`/api/awards/${guid}/ballots.csv`} download>
                    {words('awards.ballots')}
                  </a>
                </p>
                {results.runoffDigest !== null && (
                  <p>
                    <a href={`/api/awards/${guid}/ballots.csv?round=2`} download>
                      {words('awards.runoff-ballots')}
                    </a>
                  </p>
                )}
              </>
            )}
            {results.corrections.map(({ at, reason }) => (
              <p key={at}>
                <b>
                  {words('awards.corrected')} <Instant at={at} />
                </b>{' '}
                <span dir="auto">{reason}</span>
              </p>
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

/** The reader's own browser makes the digest and the count from the published ballots. */
function Again({ results }: { readonly results: AwardResults }) {
  const [found, setFound] = useState<Recounted | Error | 'counting' | null>(null)
  if (!isSecureContext) return <p className="muted">{words('awards.again-insecure')}</p>
  const count = () => {
    setFound('counting')
    void countAgain(results).then(setFound, setFound)
  }
  return (
    <>
      <p className="btns">
        <button type="button" className="btn" aria-disabled={found === 'counting'} onClick={count}>
          {words('awards.again')}
        </button>
      </p>
      <div role="status">
        {found === null && <p className="small muted">{words('awards.again-what')}</p>}
        {found === 'counting' && <p className="muted">{words('awards.again-doing')}</p>}
        {found !== null && found !== 'counting' && !(found instanceof Error) && <Found of={found} />}
      </div>
      {found instanceof Error && <Failure error={found} again={count} />}
    </>
  )
}

function Found({ of: { ballots, otherDigests, otherPlaces } }: { readonly of: Recounted }) {
  if (otherDigests.length === 0 && otherPlaces.length === 0)
    return (
      <p>
        <State shape="done">{words('awards.again-is-same')}</State> {words('awards.again-same', { count: ballots })}
      </p>
    )
  return (
    <div className="notice notice-alert">
      <div>
        <p className="strong">{words('awards.again-other')}</p>
        {otherDigests.map((digest) => (
          <p key={digest}>
            {words('awards.again-digest')} <span className={`code small ${styles.digest}`}>{digest}</span>
          </p>
        ))}
        {otherPlaces.length > 0 && <p>{words('awards.again-places')}</p>}
        <ul>
          {otherPlaces.map(({ guid, category, label }) => (
            <li key={guid}>
              <bdi>{category}</bdi>: <bdi>{label}</bdi>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
