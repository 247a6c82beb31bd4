import type { RegistrationState } from '../../../../../client/generated.ts'
import { words } from '../../../data/words.ts'
import { StateIcon } from '../../../parts/icon.tsx'
import { Section } from '../../../parts/section.tsx'
import shared from '../../../team/team.module.css'
import type { Entry } from '../desk.ts'

/** What is missing for registration: of the team, and of each player. Nothing of teams that hold a place and lack nothing. */
export function Needed({
  entry: { members, eligibility, status, withdrawnAt },
  registration: { capacity, registered },
}: {
  readonly entry: Entry
  readonly registration: RegistrationState
}) {
  const nameOf = new Map(members.map(({ guid, name }) => [guid, name]))
  const lacks = [
    ...eligibility.team.failures
      // A team that holds its place does not wait for the tournament.
      .filter(({ code }) => status === 'unregistered' || !code.startsWith('registration.'))
      .map((failure) => ({ failure, who: words('manage-team.whole') })),
    ...eligibility.players.flatMap(({ userGuid, failures }) =>
      failures.map((failure) => ({ failure, who: nameOf.get(userGuid) ?? '' })),
    ),
  ]
  if (withdrawnAt !== null || (status !== 'unregistered' && lacks.length === 0)) return null
  return (
    <Section title={words('missing.title', { count: lacks.length })}>
      <ul className="lines">
        {lacks.map(({ failure: { code, message }, who }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: each unanswered question is a failure of the same code
          <li key={`${code} ${who} ${at}`} className={shared.problem}>
            <StateIcon name="problem" />
            <p className="strong">
              <bdi>{message}</bdi>
            </p>
            <p>
              <bdi className="muted">{who}</bdi>
            </p>
          </li>
        ))}
        {lacks.length === 0 && (
          <li className={shared.fine}>
            <StateIcon name="done" />
            {words('desk.all-met', { count: members.length })}
          </li>
        )}
        {capacity !== null && status === 'unregistered' && (
          <li className={shared.fine}>
            <StateIcon name={registered < capacity ? 'done' : 'problem'} />
            {words('manage-team.places', { registered, capacity })}
          </li>
        )}
      </ul>
    </Section>
  )
}
