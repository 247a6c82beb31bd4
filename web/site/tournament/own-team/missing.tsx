import { Link } from '@tanstack/react-router'
import type { RegistrationFailure, Team, TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import type { Eligibility } from '../../data/generated.ts'
import type { Read } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { StateIcon } from '../../parts/icon.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { Ago } from '../../parts/time.tsx'
import styles from '../../team/team.module.css'

/** Everything that keeps the team from its place, who can do something about it, and the act that does. */

interface Props {
  readonly tournament: TournamentWithParts
  readonly team: Team
  readonly user: UserCard
  readonly read: Read<Eligibility>
}

type Code = RegistrationFailure['code']

export function Missing({ tournament, team, user, read }: Props) {
  return (
    <Loaded of={read} rows={4}>
      {(eligibility) => {
        const isCaptain = team.captain.guid === user.guid
        const captain = isCaptain ? words('missing.you') : team.captain.preferredName
        const count = eligibility.team.failures.length + eligibility.players.flatMap(({ failures }) => failures).length
        return (
          <Section
            title={words('missing.title', { count })}
            beside={
              <div className="btns">
                <span className="muted">
                  {words('missing.checked')} <Ago at={new Date(read.dataUpdatedAt).toISOString()} />
                </span>
                <button
                  type="button"
                  className="btn"
                  aria-disabled={read.isFetching}
                  onClick={() => void read.refetch()}
                >
                  {words('missing.check')}
                </button>
              </div>
            }
          >
            <ul className="lines">
              {eligibility.team.failures.map((failure, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: each unanswered question is a failure of the same code
                <Problem key={`${failure.code} ${at}`} failure={failure} who={whoOf(failure.code, captain)}>
                  {isCaptain && <TeamAct code={failure.code} />}
                </Problem>
              ))}
              {eligibility.players.flatMap(({ userGuid, failures }) => {
                const member = team.members.find((each) => each.user.guid === userGuid)?.user
                const isReader = userGuid === user.guid
                const name = isReader ? words('missing.you') : (member?.preferredName ?? '')
                return failures.map((failure, at) => (
                  <Problem
                    // biome-ignore lint/suspicious/noArrayIndexKey: each unanswered question is a failure of the same code
                    key={`${userGuid} ${failure.code} ${at}`}
                    failure={failure}
                    who={failure.code.startsWith('field.') ? captain : name}
                  >
                    {failure.code.startsWith('field.') ? (
                      isCaptain && <TeamAct code={failure.code} />
                    ) : isReader ? (
                      <OwnAct code={failure.code} />
                    ) : (
                      <CopyButton
                        text={`${failure.message} ${new URL('/me/settings', location.href).href}`}
                        label={words('missing.remind', { name: member?.preferredName ?? '' })}
                      />
                    )}
                  </Problem>
                ))
              })}
              {finesOf(eligibility, tournament, team).map((text) => (
                <li key={text} className={styles.fine}>
                  <StateIcon name="done" />
                  <span>
                    <span className="unseen">{words('missing.fine')} </span>
                    {text}
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        )
      }}
    </Loaded>
  )
}

function Problem({
  failure,
  who,
  children,
}: {
  readonly failure: RegistrationFailure
  readonly who: string
  readonly children: React.ReactNode
}) {
  return (
    <li className={styles.problem}>
      <StateIcon name="problem" />
      <p className="strong">
        <span className="unseen">{words('missing.missing')} </span>
        <bdi>{failure.message}</bdi>
      </p>
      <p>
        <span className="muted">{words('missing.up-to')}</span> <bdi className="strong">{who}</bdi>
      </p>
      <div>{children}</div>
    </li>
  )
}

/** Of what concerns the whole team, who can do something about it. */
function whoOf(code: Code, captain: string): string {
  if (code === 'registration.not_open_yet') return words('missing.time')
  if (code.startsWith('registration.') || code === 'team.withdrawn' || code === 'ranking.unreachable')
    return words('missing.organiser')
  return captain
}

function TeamAct({ code }: { readonly code: Code }) {
  if (code === 'team.too_small')
    return (
      <a className="btn" href="#invite">
        {words('missing.invite')}
      </a>
    )
  if (code.startsWith('field.'))
    return (
      <a className="btn" href="#answers">
        {words('missing.answer')}
      </a>
    )
  return null
}

const linked: ReadonlySet<Code> = new Set([
  ...(['ranking_a.not_linked', 'ranking_b.not_linked', 'links.not_verified'] as const),
  ...(['email.not_verified', 'country.unknown'] as const),
])

function OwnAct({ code }: { readonly code: Code }) {
  if (!linked.has(code)) return null
  return (
    <Link to="/me/settings" className="btn">
      {words('missing.settings')}
    </Link>
  )
}

/** What is asked and fulfilled, in words. */
function finesOf({ registration, team: judged, players }: Eligibility, tournament: TournamentWithParts, team: Team) {
  const failed = new Set([...judged.failures, ...players.flatMap(({ failures }) => failures)].map(({ code }) => code))
  const isFine = (...codes: readonly Code[]) => codes.every((code) => !failed.has(code))
  const { requirements, teamSize } = tournament
  const fines: readonly (string | false)[] = [
    isFine('team.too_small', 'team.too_large') &&
      words('fine.size', { members: team.members.length, min: teamSize.min, max: teamSize.max }),
    registration.capacity !== null &&
      isFine('registration.full') &&
      words('fine.place', { registered: registration.registered, capacity: registration.capacity }),
    requirements.countries !== undefined && isFine('country.unknown', 'country.not_allowed') && words('fine.countries'),
    (requirements.rankA !== undefined || requirements.rankingA === true) &&
      isFine('ranking_a.not_linked', 'ranking_a.unranked', 'ranking_a.out_of_range') &&
      words('fine.rank-a'),
    (requirements.rankB !== undefined || requirements.rankingB === true) &&
      isFine('ranking_b.not_linked', 'ranking_b.unranked', 'ranking_b.out_of_range') &&
      words('fine.rank-b'),
    requirements.emailVerified === true && isFine('email.not_verified') && words('fine.email'),
    tournament.additionalFields.some(({ required }) => required) && isFine('field.unanswered') && words('fine.answers'),
  ]
  return fines.filter((text) => text !== false)
}
