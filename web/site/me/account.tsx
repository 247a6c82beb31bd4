import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { address, request } from '../data/api.ts'
import { signOut, useRead, useReader } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'
import { Failure } from '../parts/loaded.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Section } from '../parts/section.tsx'
import styles from './account.module.css'

/** Everything that is held about the reader, as a file; and the end of the account. */
export function AccountPage() {
  const { user } = useReader()
  const remove = useWrite('DELETE /users/@me', () => void signOut().then(() => location.assign('/')))
  return (
    <div className="page stack">
      <h1>{words('me.account')}</h1>
      <Section title={words('account.data')}>
        <div className={styles.part}>
          <p className="prose">{words('account.data-text')}</p>
          <Download />
        </div>
      </Section>
      <Section title={words('account.end')}>
        <div className={styles.part}>
          <div className="prose">
            <p>{words('account.end-text')}</p>
            <ul>
              <li>
                {words('account.end-tournaments')}
                {user && <Organised user={user.guid} />}
              </li>
              <li>{words('account.end-team')}</li>
            </ul>
          </div>
          <Danger
            label={words('account.delete')}
            title={words('account.delete-title')}
            typed={user?.preferredName ?? user?.username ?? ''}
            error={remove.error}
            isSending={remove.isSending}
            act={() => remove.send({ params: {} })}
          >
            <p>{words('account.delete-what')}</p>
            <Gone />
          </Danger>
        </div>
      </Section>
    </div>
  )
}

const isOver = ({ status }: { readonly status: string }) => status === 'completed' || status === 'cancelled'

/** The tournaments that keep the account. */
function Organised({ user }: { readonly user: string }) {
  const read = useRead(address('/tournaments', {}, { organiser: user, limit: 50 }))
  const open = read.data?.tournaments.filter((each) => !isOver(each)) ?? []
  if (open.length === 0) return null
  return (
    <ul>
      {open.map(({ guid, id, name }) => (
        <li key={guid}>
          <Link to="/t/$tournament" params={{ tournament: id }}>
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** How much goes with the account. */
function Gone() {
  const applications = useRead(address('/oauth/applications', {})).data?.length
  const keys = useRead(address('/users/@me/streamKeys', {})).data?.length
  const files = useRead(address('/media', {}, { limit: 1 })).data?.quota.usedFiles
  if (applications === undefined || keys === undefined || files === undefined) return null
  return <p>{words('account.gone', { applications, keys, files })}</p>
}

/** The file comes with the reader's token, so no plain link can lead to it. */
function Download() {
  const [error, setError] = useState<Error | null>(null)
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    setLoading(true)
    try {
      const held = await request<unknown>('/users/@me/export')
      setError(null)
      saveFile('downbeat-account.json', new Blob([JSON.stringify(held, null, 2)], { type: 'application/json' }))
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setLoading(false)
    }
  }
  return (
    <>
      <button type="button" className="btn" aria-disabled={isLoading} onClick={() => void load()}>
        {words('account.download')}
      </button>
      {error !== null && <Failure error={error} again={() => void load()} isTrying={isLoading} />}
    </>
  )
}
