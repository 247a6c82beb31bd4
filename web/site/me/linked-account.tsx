import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, address } from '../data/api.ts'
import type { Identity } from '../data/generated.ts'
import { words } from '../data/words.ts'
import { type Known, useWrite, type Writing } from '../data/writes.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Danger } from '../parts/danger.tsx'
import { TextField } from '../parts/form/fields.tsx'
import { Form } from '../parts/form/form.tsx'
import { useForm } from '../parts/form/use-form.ts'
import { Failure } from '../parts/loaded.tsx'
import { State } from '../parts/state.tsx'
import { Instant } from '../parts/time.tsx'
import styles from './settings.module.css'

/** An account of the reader elsewhere: linked, to be proven, or not there. */

const identities = address('/users/@me/identities', {})

interface Props {
  readonly platform: Identity['platform']
  readonly name: string
  readonly identity: Identity | undefined
}

type Linking = Writing<'PUT /users/@me/identities/{identity}'>

export function LinkedAccount({ platform, name, identity }: Props) {
  const link = useWrite('PUT /users/@me/identities/{identity}', (known, linked) => {
    replace(known, platform, [linked])
  })
  const isProven = identity !== undefined && identity.verifiedAt !== null
  const [isNew, setNew] = useState(false)
  const told = useRef<HTMLDivElement>(null)
  // The button that was pressed has gone, or has something new below it.
  useEffect(() => {
    if (link.isDone) setNew(true)
  }, [link.isDone])
  const state = identity === undefined ? 'none' : isProven ? 'proven' : 'unproven'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once for each state
  useEffect(() => {
    if (isNew) told.current?.focus()
  }, [isNew, state])
  return (
    <>
      <div className={styles.head}>
        <span className="strong">{name}</span>
        <span>
          {identity === undefined ? (
            <span className="muted">{words('linking.none')}</span>
          ) : (
            <>
              <bdi className="code">{identity.name ?? identity.externalId}</bdi>{' '}
              {isProven ? (
                <State shape="done" tone="quiet">
                  {words('linking.proven')}
                </State>
              ) : (
                <State shape="waiting" tone="warning">
                  {words('linking.unproven')}
                </State>
              )}
            </>
          )}
        </span>
        {identity !== undefined && platform !== 'chat' && (
          <Unlink platform={platform} name={name} identity={identity} />
        )}
      </div>
      <div ref={told} tabIndex={-1} role="status">
        {isNew && isProven && <Proven name={name} />}
        {platform === 'streaming' && state === 'unproven' && (
          <p className="muted">{words('linking.streaming-unproven')}</p>
        )}
        {identity?.proofCode !== undefined && <p className={styles.prove}>{words('linking.prove')}</p>}
      </div>
      {identity?.proofCode !== undefined && (
        <Proof identity={identity} name={name} code={identity.proofCode} link={link} />
      )}
      {identity === undefined && platform !== 'chat' && <LinkForm platform={platform} name={name} link={link} />}
    </>
  )
}

function replace(known: Known, platform: Identity['platform'], by: readonly Identity[]): void {
  known.change(identities, (all) => [...all.filter((each) => each.platform !== platform), ...by])
  known.renew('/users/@me/agenda')
}

/** The ID in the address of a profile, where a whole address was given. */
const idOf = (text: string): string =>
  (/\/u\/([^/?#]+)/.exec(text) ?? /([^/?#]+)\/?(?:[?#].*)?$/.exec(text.trim()))?.[1] ?? text

/** What is possible now that the account is proven. */
function Proven({ name }: { readonly name: string }): ReactNode {
  return (
    <div className={`notice ${styles.proven}`}>
      <p className="push">{words('linking.is-proven', { name })}</p>
      <Link to="/me" className="btn btn-primary">
        {words('linking.go-on')}
      </Link>
    </div>
  )
}

function LinkForm({ platform, name, link }: Omit<Props, 'identity'> & { readonly link: Linking }) {
  const form = useForm({ key: `link-${platform}`, saved: { externalId: '' } })
  const submit = async () => {
    const { externalId } = form.values
    if (await link.send({ params: { identity: platform }, body: { externalId: idOf(externalId) } })) form.take()
  }
  return (
    <Form
      error={link.error}
      say={(error) => (isAway(error) ? words('linking.away-at-first', { name }) : error.message)}
      onSubmit={submit}
    >
      <div className={styles.form}>
        <TextField
          form={form}
          name="externalId"
          label={
            <>
              {words(platform === 'streaming' ? 'linking.name-there' : 'linking.id-there')}
              <span className="unseen"> {name}</span>
            </>
          }
          hint={words(platform === 'streaming' ? 'linking.name-hint' : 'linking.id-hint')}
          isRequired
          maxLength={200}
        />
        <button type="submit" className="btn" aria-disabled={link.isSending}>
          {words('linking.link')}
          <span className="unseen"> {name}</span>
        </button>
        <span role="status" className="muted">
          {link.isSending && words('linking.asking', { name })}
        </span>
      </div>
    </Form>
  )
}

/** Whether the platform does not answer, which changes nothing for the reader. */
const isAway = (error: Error | null): boolean => error instanceof ApiError && error.code === 'ranking.unreachable'

/** The code that proves the account: where it goes, and another look whether it is there. */
function Proof({
  identity,
  name,
  code,
  link,
}: {
  readonly identity: Identity
  readonly name: string
  readonly code: string
  readonly link: Linking
}) {
  const [checkedAt, setCheckedAt] = useState<string | null>(null)
  const check = async () => {
    const { platform, externalId } = identity
    await link.send({ params: { identity: platform }, body: { externalId } })
    setCheckedAt(new Date().toISOString())
  }
  return (
    <div className={styles.proof}>
      <ol>
        <li>
          {words('linking.step-copy')} <span className={styles.code}>{code}</span>{' '}
          <CopyButton text={code} label={words('linking.copy')} />
        </li>
        <li>{words('linking.step-put', { name })}</li>
        <li>{words('linking.step-check')}</li>
      </ol>
      <div className="btns">
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={link.isSending}
          onClick={() => link.isSending || void check()}
        >
          {words('linking.check')}
        </button>
        <span role="status">
          {link.isSending && <span className="muted">{words('linking.checking')}</span>}
          {checkedAt !== null && !link.isSending && link.error === null && (
            <>
              {words('linking.not-yet')} (<Instant at={checkedAt} as="time" />)
            </>
          )}
        </span>
      </div>
      {isAway(link.error) && (
        <p className="notice notice-warning" role="alert">
          {words('linking.away', { name })}
          {checkedAt !== null && (
            <>
              {' '}
              {words('linking.last-asked')} <Instant at={checkedAt} as="time" />
            </>
          )}
        </p>
      )}
      {link.error && !isAway(link.error) && (
        <Failure error={link.error} again={() => void check()} isTrying={link.isSending} />
      )}
    </div>
  )
}

function Unlink({ platform, name, identity }: Props & { readonly identity: Identity }) {
  const unlink = useWrite('DELETE /users/@me/identities/{identity}', (known) => replace(known, platform, []))
  return (
    <Danger
      label={words('linking.unlink')}
      title={words('linking.unlink-title', { name })}
      error={unlink.error}
      isSending={unlink.isSending}
      act={() => unlink.send({ params: { identity: platform } })}
    >
      <p>{words(identity.verifiedAt === null ? 'linking.unlink-claim' : 'linking.unlink-text')}</p>
    </Danger>
  )
}
