import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { FaultOf } from '../chrome/faults.tsx'
import { address } from '../data/api.ts'
import type { Application } from '../data/generated.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Danger } from '../parts/danger.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Secret } from '../parts/secret.tsx'
import { Section } from '../parts/section.tsx'
import { ApplicationForm, bodyOf, valuesOf } from './application-form.tsx'
import { applicationsAddress } from './applications.tsx'

/** One of the reader's programs: its fields, a new secret, its end. */
export function ApplicationPage() {
  const { application } = useParams({ from: '/me/applications/$application' })
  const read = useRead(address('/oauth/applications/{application}', { application }))
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className="page stack">
      <Loaded of={read} rows={8} hasTitle>
        {(found) => <Shown application={found} />}
      </Loaded>
    </div>
  )
}

function Shown({ application }: { readonly application: Application }) {
  const { clientId, name, type } = application
  const params = { application: clientId }
  const own = address('/oauth/applications/{application}', params)
  const save = useWrite('PATCH /oauth/applications/{application}', (known, saved) => {
    known.put(own, saved)
    known.renew(applicationsAddress)
  })
  return (
    <>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p>
        {words('applications.id')} <span className="code">{clientId}</span>{' '}
        <CopyButton text={clientId} label={words('applications.copy-id')} isQuiet />
      </p>
      <Section title={words('applications.settings')}>
        <ApplicationForm
          id={clientId}
          saved={valuesOf(application)}
          error={save.error}
          isSending={save.isSending}
          isSaved={save.isDone}
          label={words('form.save')}
          send={(values) => save.send({ params, body: bodyOf(values) })}
        />
      </Section>
      {type === 'confidential' && <NewSecret application={application} />}
      <Section title={words('applications.end')}>
        <Delete application={application} />
      </Section>
    </>
  )
}

function NewSecret({ application: { clientId, name } }: { readonly application: Application }) {
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useWrite('POST /oauth/applications/{application}/secret', (_known, { clientSecret }) =>
    setSecret(clientSecret),
  )
  return (
    <Section title={words('applications.secret')}>
      <p>
        {secret === null ? (
          words('applications.secret-hidden')
        ) : (
          <>
            {words('applications.secret-once')} <Secret name={words('applications.secret')} text={secret} />
          </>
        )}
      </p>
      <p>
        <Danger
          label={words('applications.rotate')}
          title={words('applications.rotate-title', { name })}
          error={rotate.error}
          isSending={rotate.isSending}
          act={() => rotate.send({ params: { application: clientId } })}
        >
          <p>{words('applications.rotate-what')}</p>
        </Danger>
      </p>
    </Section>
  )
}

function Delete({ application: { clientId, name } }: { readonly application: Application }) {
  const navigate = useNavigate()
  const remove = useWrite('DELETE /oauth/applications/{application}', (known) => {
    known.change(applicationsAddress, (all) => all.filter((each) => each.clientId !== clientId))
    void navigate({ to: '/me/applications' })
  })
  return (
    <p>
      <Danger
        label={words('applications.delete')}
        title={words('applications.delete-title', { name })}
        typed={name}
        error={remove.error}
        isSending={remove.isSending}
        act={() => remove.send({ params: { application: clientId } })}
      >
        <p>{words('applications.delete-what')}</p>
      </Danger>
    </p>
  )
}
