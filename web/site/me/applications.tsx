import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { address } from '../data/api.ts'
import type { Application } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { After, Empty, Loaded } from '../parts/loaded.tsx'
import { Secret } from '../parts/secret.tsx'
import { Section } from '../parts/section.tsx'
import { ApplicationForm, type ApplicationValues, bodyOf } from './application-form.tsx'
import styles from './sessions.module.css'

/** The programs that the reader has registered, and a form for another one. */

export const applicationsAddress = address('/oauth/applications', {})

const empty: ApplicationValues = { name: '', type: 'confidential', scopes: [], redirectUris: '' }

export function Applications() {
  const read = useRead(applicationsAddress)
  // The secret is shown once, and is gone with the page.
  const [made, setMade] = useState<{ readonly application: Application; readonly secret: string | null } | null>(null)
  const create = useWrite('POST /oauth/applications', (known, { clientSecret, ...application }) => {
    known.change(applicationsAddress, (all) => [application, ...all])
    setMade({ application, secret: clientSecret ?? null })
  })
  return (
    <div className="page stack">
      <h1>{words('me.applications')}</h1>
      {made !== null && (
        <div className="notice" role="status">
          <div>
            <p>{words('applications.made', { name: made.application.name })}</p>
            <p>
              {words('applications.id')} <span className="code">{made.application.clientId}</span>
            </p>
            {made.secret !== null && (
              <p>
                {words('applications.secret-once')} <Secret name={words('applications.secret')} text={made.secret} />
              </p>
            )}
          </div>
        </div>
      )}
      <Section title={words('applications.yours')}>
        <Loaded of={read} rows={3}>
          {(applications) =>
            applications.length === 0 ? (
              <Empty>{words('applications.none')}</Empty>
            ) : (
              <ul className="lines">
                {applications.map(({ clientId, name, type }) => (
                  <li key={clientId} className={styles.line}>
                    <Link to="/me/applications/$application" params={{ application: clientId }}>
                      <bdi>{name}</bdi>
                    </Link>
                    <span className="muted">{words(`applications.${type}`)}</span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <After of={[read]}>
        <Section title={words('applications.register')}>
          <ApplicationForm
            key={made?.application.clientId ?? ''}
            id="new"
            saved={empty}
            error={create.error}
            isSending={create.isSending}
            isSaved={false}
            label={words('applications.register')}
            send={(values) => create.send({ params: {}, body: bodyOf(values) })}
          />
        </Section>
      </After>
    </div>
  )
}
