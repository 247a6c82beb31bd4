import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { address } from '../data/api.ts'
import type { ClaimPreview } from '../data/generated.ts'
import { signInAddress, useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Form, Save } from '../parts/form/form.tsx'
import { Empty, Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/section.tsx'
import { Face } from '../parts/team.tsx'

/**
 * Takes over the places of a placeholder by a link. Its secret comes in the fragment of the address, which no server is sent, and
 * is taken out of the address at once; the tab keeps it for the way through the sign-in alone.
 */

const key = 'downbeat.claim'

function takeToken(): string | null {
  const given = location.hash.slice(1)
  if (given === '') return sessionStorage.getItem(key)
  history.replaceState(history.state, '', location.pathname + location.search)
  return given
}

export function Claim() {
  const [token, setToken] = useState<string | null>(null)
  const [isTaken, setTaken] = useState(false)
  useEffect(() => {
    const take = () => setToken(takeToken())
    take()
    setTaken(true)
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  const { user } = useReader()
  useEffect(() => {
    if (token === null || user === undefined) return
    if (user === null) sessionStorage.setItem(key, token)
    else sessionStorage.removeItem(key)
  }, [user, token])
  return (
    <div className="page stack">
      <h1>{words('claim.title')}</h1>
      {isTaken && token === null && <Empty>{words('claim.no-link')}</Empty>}
      {token !== null && user === null && (
        <>
          <p>{words('claim.sign-in-why')}</p>
          <p>
            <a className="btn btn-primary" href={signInAddress()}>
              {words('who.sign-in')}
            </a>
          </p>
        </>
      )}
      {token !== null && user != null && <Offer key={token} token={token} />}
    </div>
  )
}

function Offer({ token }: { readonly token: string }) {
  const preview = useRead(address('/claims/{claimToken}', { claimToken: token }))
  const claim = useWrite('POST /claims/{claimToken}', (known) => {
    known.renew('/users/@me')
    known.renew('/userWithOngoingTournaments/')
  })
  if (claim.isDone && preview.data !== undefined) return <Done of={preview.data} />
  return (
    <Loaded of={preview} rows={4}>
      {({ placeholder, places, conflicts }) => (
        <Section title={words('claim.places', { name: placeholder.preferredName })}>
          <Form error={claim.error} onSubmit={() => claim.send({ params: { claimToken: token } })}>
            <p>{words('claim.becomes')}</p>
            <Places of={places} />
            {conflicts.length > 0 ? (
              <div className="notice notice-alert">
                <p>{words('claim.conflict')}</p>
                <Places of={conflicts} />
              </div>
            ) : (
              <>
                <p className="muted">{words('claim.undo-hint')}</p>
                <Save isSending={claim.isSending}>{words('claim.confirm')}</Save>
              </>
            )}
          </Form>
        </Section>
      )}
    </Loaded>
  )
}

function Places({ of }: { readonly of: ClaimPreview['places'] }) {
  return (
    <ul className="lines">
      {of.map(({ tournament, team, isCaptain }) => (
        <li key={tournament.guid}>
          {team !== null && <Face name={team.name} picture={null} isTeam />}{' '}
          {team !== null && (
            <>
              <strong>
                <bdi>{team.name}</bdi>
              </strong>
              {isCaptain && <> ({words('desk.is-captain')})</>},{' '}
            </>
          )}
          <Link to="/t/$tournament" params={{ tournament: tournament.id }}>
            <bdi>{tournament.name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Done({ of: { places } }: { readonly of: ClaimPreview }) {
  return (
    <Section title={words('claim.done')}>
      <Places of={places} />
      <p>
        <Link to="/me" className="btn btn-primary">
          {words('claim.agenda')}
        </Link>
      </p>
    </Section>
  )
}
