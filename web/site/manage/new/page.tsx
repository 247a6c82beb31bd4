import { Link, useSearch } from '@tanstack/react-router'
import type { TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { FaultOf } from '../../chrome/faults.tsx'
import { useRead } from '../../data/queries.ts'
import { tournamentAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Blocks } from '../../parts/loaded.tsx'
import { SignedIn } from '../../parts/signed-in.tsx'
import { FirstStep } from './first-step.tsx'
import styles from './new.module.css'
import { OwnDrafts } from './own-drafts.tsx'
import { Review } from './review.tsx'
import { Step } from './step.tsx'
import { type StepName, steps } from './steps.ts'

/** A new tournament in five steps. From the first it is a draft of the service, so that one can leave and come back. */
export function NewTournament() {
  return (
    <SignedIn title={words('new.title')} why={words('new.sign-in')}>
      {(user) => <OfUser user={user} />}
    </SignedIn>
  )
}

function OfUser({ user }: { readonly user: UserCard }) {
  const { draft, step } = useSearch({ strict: false }) as { readonly draft?: string; readonly step?: string }
  if (draft === undefined)
    return (
      <div className="page stack">
        <Head step="name" />
        <OwnDrafts user={user} />
        <FirstStep user={user} />
        <p>
          {words('bring.have')} <Link to="/new/package">{words('bring.link')}</Link>
        </p>
      </div>
    )
  return <OfDraft key={draft} draft={draft} step={steps.find((each) => each === step) ?? 'dates'} />
}

function OfDraft({ draft, step }: { readonly draft: string; readonly step: StepName }) {
  const { data, error, refetch } = useRead(tournamentAddress(draft), { live: true })
  if (data === undefined && error !== null) return <FaultOf error={error} again={() => void refetch()} />
  return (
    <div className="page stack">
      <Head step={step} tournament={data} />
      {data === undefined ? (
        <Blocks rows={6} />
      ) : step === 'review' ? (
        <Review tournament={data} />
      ) : (
        <Step key={step} tournament={data} step={step} />
      )}
    </div>
  )
}

/** The way through the steps; those of a draft can be taken in any order. */
function Head({
  step,
  tournament,
}: {
  readonly step: StepName
  readonly tournament?: TournamentWithParts | undefined
}) {
  const at = steps.indexOf(step)
  return (
    <>
      <div className="title">
        <div>
          <h1 data-title={words('new.title')}>
            {tournament === undefined ? words('new.title') : <bdi>{tournament.name}</bdi>}
          </h1>
          <p>{words('new.step', { number: at + 1, all: steps.length, name: words(`new.step-${step}`) })}</p>
        </div>
      </div>
      <nav aria-label={words('new.steps')}>
        <ol className={styles.steps}>
          {steps.map((each) => (
            <li key={each}>
              {tournament === undefined ? (
                <span {...(each === step && { 'aria-current': 'step' })}>{words(`new.step-${each}`)}</span>
              ) : (
                <Link
                  to="/new"
                  search={{ draft: tournament.guid, step: each }}
                  aria-current={each === step ? 'step' : undefined}
                >
                  {words(`new.step-${each}`)}
                </Link>
              )}
            </li>
          ))}
        </ol>
      </nav>
    </>
  )
}
