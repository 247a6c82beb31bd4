import { Link } from '@tanstack/react-router'
import { type WordId, words } from '../data/words.ts'

/** What this is, how it can be used, and whose works are in it. */

function Text({
  title,
  paragraphs,
  children,
}: {
  readonly title: WordId
  readonly paragraphs: readonly WordId[]
  readonly children?: React.ReactNode
}) {
  return (
    <div className="page stack">
      <h1>{words(title)}</h1>
      <div className="prose">
        {paragraphs.map((id) => (
          <p key={id}>{words(id)}</p>
        ))}
        {children}
      </div>
    </div>
  )
}

export function About() {
  return (
    <Text title="about.title" paragraphs={['about.what', 'about.who', 'about.open']}>
      <p>
        <Link to="/tournaments" search={{}}>
          {words('about.see')}
        </Link>
      </p>
      <p>
        <Link to="/packages">{words('package-check.title')}</Link>
      </p>
      <p>
        <a href="/api/docs/">{words('about.api')}</a>
      </p>
    </Text>
  )
}

export function Accessibility() {
  return (
    <Text
      title="accessibility.title"
      paragraphs={['accessibility.aim', 'accessibility.keys', 'accessibility.bracket', 'accessibility.known']}
    />
  )
}

export function Licences() {
  return (
    <Text title="licences.title" paragraphs={['licences.fonts', 'licences.code', 'licences.pictures']}>
      <p>
        <a href="/licences.txt">{words('licences.all')}</a>
      </p>
    </Text>
  )
}
