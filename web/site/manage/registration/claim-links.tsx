import { useState } from 'react'
import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure, Loaded } from '../../parts/loaded.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './registration.module.css'

/** Links by which a person takes over the placeholder that has their place. */
export function ClaimLinks({
  placeholder,
  name,
  tournament,
}: {
  readonly placeholder: string
  readonly name: string
  /** GUID of the tournament. */
  readonly tournament: string
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="btn btn-quiet" onClick={() => setOpen(true)}>
        {words('claim.link')}…<span className="unseen"> {name}</span>
      </button>
      {isOpen && (
        <Dialog title={words('claim.link-for', { name })} close={() => setOpen(false)}>
          <Links placeholder={placeholder} tournament={tournament} />
        </Dialog>
      )}
    </>
  )
}

function Links({ placeholder, tournament }: { readonly placeholder: string; readonly tournament: string }) {
  const list = address('/users/{placeholder}/claimLinks', { placeholder })
  const links = useRead(list)
  const [made, setMade] = useState<string | null>(null)
  const make = useWrite('POST /users/{placeholder}/claimLinks', (known, { token }) => {
    // In the fragment, which is sent to no server and is in no log.
    setMade(`${location.origin}/claim#${token}`)
    known.renew(list)
  })
  const revoke = useWrite('DELETE /users/{placeholder}/claimLinks/{claimLink}', (known) => known.renew(list))
  const error = make.error ?? revoke.error
  return (
    <>
      <p>{words('claim.what')}</p>
      {error !== null && (
        <Failure
          error={error}
          again={make.error === null ? revoke.again : make.again}
          isTrying={make.isSending || revoke.isSending}
        />
      )}
      {made === null ? (
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={make.isSending}
          onClick={() => void make.send({ params: { placeholder }, body: { tournament } })}
        >
          {words('claim.make')}
        </button>
      ) : (
        <div className="notice">
          <p className="strong">{words('claim.once')}</p>
          <Secret name={words('claim.link')} text={made} />
        </div>
      )}
      <Loaded of={links} rows={2}>
        {(body) => (
          <ul className={`lines ${styles.preview}`}>
            {body.links.map(({ guid, status, expiresAt }) => (
              <li key={guid}>
                <span>
                  {words(`claim.${status}`)}{' '}
                  {status === 'open' && (
                    <span className="small muted">
                      {words('claim.until')} <Instant at={expiresAt} />
                    </span>
                  )}
                </span>
                {status === 'open' && (
                  <button
                    type="button"
                    className="btn btn-quiet btn-danger"
                    aria-disabled={revoke.isSending}
                    onClick={() => void revoke.send({ params: { placeholder, claimLink: guid } })}
                  >
                    {words('claim.revoke')}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}
