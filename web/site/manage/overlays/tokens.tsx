import { useState } from 'react'
import type { Overlay } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { MadeViewToken, ViewToken } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Danger } from '../../parts/danger.tsx'
import { CheckField, TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './overlays.module.css'

/** The addresses for broadcasting programs. Each has a token, which is shown once, as it is made. (OV16) */

const tokensAddress = (tournament: string, overlay: string) =>
  address('/tournaments/{tournament}/overlays/{overlay}/tokens', { tournament, overlay })

export function useTokens(overlay: string, isAllowed: boolean) {
  const tournament = useTournamentId()
  return useRead(isAllowed ? tokensAddress(tournament, overlay) : null)
}

const most = 20

export function Tokens({ overlay }: { readonly overlay: Overlay }) {
  const { guid, access, urls } = overlay
  const tournament = useTournamentId()
  const tokens = useTokens(guid, true)
  // In memory alone: it is gone with the page.
  const [made, setMade] = useState<MadeViewToken | null>(null)
  const at = tokensAddress(tournament, guid)
  const take = (known: Known, token: MadeViewToken) => {
    setMade(token)
    const { token: _secret, url: _url, ...shown } = token
    known.change(at, (all) => [...all, shown])
  }
  return (
    <div>
      <h3>{words('overlays.addresses')}</h3>
      {access === 'public' && (
        <p className={styles.address}>
          <span className="muted">{words('overlays.public')}</span>
          <CopyButton text={`${urls.live}#${guid}`} label={words('overlays.copy-address')} />
        </p>
      )}
      {made !== null && (
        <div className="notice notice-warning" role="status">
          <p>{words('overlays.once', { label: made.label })}</p>
          <Secret name={made.label} text={made.url} />
        </div>
      )}
      <Loaded of={tokens} rows={2}>
        {(all) => (
          <>
            {all.length === 0 && access === 'token' && <p className="muted">{words('overlays.no-address')}</p>}
            <ul className="lines">
              {all.map((token) => (
                <Token key={token.guid} overlay={guid} token={token} take={take} />
              ))}
            </ul>
            {all.length < most && <NewToken overlay={guid} take={take} />}
          </>
        )}
      </Loaded>
    </div>
  )
}

type Take = (known: Known, token: MadeViewToken) => void

function Token({
  overlay,
  token: { guid, label, lastFour, preview, lastUsedAt, expiresAt },
  take,
}: {
  readonly overlay: string
  readonly token: ViewToken
  readonly take: Take
}) {
  const tournament = useTournamentId()
  const at = tokensAddress(tournament, overlay)
  const params = { tournament, overlay, viewToken: guid }
  const revoke = useWrite('DELETE /tournaments/{tournament}/overlays/{overlay}/tokens/{viewToken}', (known) =>
    known.change(at, (all) => all.filter((each) => each.guid !== guid)),
  )
  const make = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/tokens', take)
  // The new one is there before the old one ends, so that there is always one that is good.
  const rotate = async () => {
    const body = { label, preview, expiresAt }
    return make.isDone || (await make.send({ params: { tournament, overlay }, body })) ? revoke.send({ params }) : false
  }
  return (
    <li className={styles.token}>
      <div>
        <p>
          <bdi className="strong">{label}</bdi> <span className="code">…{lastFour}</span>{' '}
          {preview && <span className="muted">{words('overlays.with-preview')}</span>}
        </p>
        <p className="small muted">
          {lastUsedAt === null ? (
            words('overlays.token-unused')
          ) : (
            <>
              {words('overlays.token-used')} <Instant at={lastUsedAt} />
            </>
          )}
          {expiresAt !== null && (
            <>
              , {words('overlays.expires')} <Instant at={expiresAt} />
            </>
          )}
        </p>
      </div>
      <div className="btns">
        <Danger
          label={words('overlays.rotate')}
          title={words('overlays.rotate-title', { label })}
          isPlain
          error={make.error ?? revoke.error}
          isSending={make.isSending || revoke.isSending}
          act={rotate}
        >
          <p>{words('overlays.rotate-what')}</p>
        </Danger>
        <Danger
          label={words('overlays.revoke')}
          title={words('overlays.revoke-title', { label })}
          error={revoke.error}
          isSending={revoke.isSending}
          act={() => revoke.send({ params })}
        >
          <p>{words('overlays.revoke-what')}</p>
        </Danger>
      </div>
    </li>
  )
}

function NewToken({ overlay, take }: { readonly overlay: string; readonly take: Take }) {
  const tournament = useTournamentId()
  const form = useForm({ key: `token-${overlay}`, saved: { label: '', preview: false } })
  const make = useWrite('POST /tournaments/{tournament}/overlays/{overlay}/tokens', (known, token) => {
    form.take()
    take(known, token)
  })
  return (
    <Form
      className={styles.newToken}
      error={make.error}
      onSubmit={() => make.send({ params: { tournament, overlay }, body: form.values })}
    >
      <TextField
        form={form}
        name="label"
        label={words('overlays.token-for')}
        placeholder={words('overlays.token-example')}
        maxLength={40}
        isRequired
      />
      <CheckField form={form} name="preview" label={words('overlays.preview')} />
      <button type="submit" className="btn" aria-disabled={make.isSending}>
        {words('overlays.make-address')}
      </button>
    </Form>
  )
}
