import type { ReactNode } from 'react'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Field } from '../../parts/form/form.tsx'
import styles from './assistant.module.css'
import { useFound } from './offer.ts'
import { linkAddress } from './page.tsx'

/** Parts of the form of the link. */

interface SecretProps {
  readonly name: 'token' | 'password' | 'hookSecret'
  readonly isThere: boolean
  readonly value: string
  readonly set: (text: string) => void
}

export function SecretField({ name, isThere, value, set }: SecretProps): ReactNode {
  return (
    <Field
      name={name}
      label={words(`assistant.${name}`)}
      hint={words(isThere ? 'assistant.secret-there' : 'assistant.secret-none')}
    >
      {(of) => (
        <input
          {...of}
          className="in"
          type="password"
          autoComplete="off"
          maxLength={4_000}
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      )}
    </Field>
  )
}

/** The tournaments that the last test has told of. */
export function Choices({
  choose,
  chosen,
}: {
  readonly choose: (guid: string, name: string) => void
  readonly chosen: string
}) {
  const found = useFound(useTournamentId())
  if (found === null || found.tournaments.length === 0) return null
  return (
    <fieldset className={styles.choices}>
      <legend>{words('assistant.tournaments')}</legend>
      <div className="btns">
        {found.tournaments.slice(0, 30).map(({ guid, name }) => (
          <button
            key={guid}
            type="button"
            className="btn"
            aria-pressed={guid === chosen}
            onClick={() => choose(guid, name)}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
      {found.events.length > 0 && (
        <p className="muted">
          {words('assistant.events')}:{' '}
          {found.events.map(({ guid, name }) => (
            <span key={guid}>
              <bdi>{name}</bdi> <bdi className="code">{guid}</bdi>{' '}
            </span>
          ))}
        </p>
      )}
    </fieldset>
  )
}

export function Remove({ name }: { readonly name: string }) {
  const tournament = useTournamentId()
  const remove = useWrite('DELETE /tournaments/{tournament}/assistant', (known) => known.renew(linkAddress(tournament)))
  return (
    <p className={styles.remove}>
      <Danger
        label={words('assistant.remove')}
        title={words('assistant.remove-title')}
        typed={name}
        error={remove.error}
        isSending={remove.isSending}
        act={() => remove.send({ params: { tournament } })}
      >
        <p>{words('assistant.remove-text')}</p>
      </Danger>
    </p>
  )
}
