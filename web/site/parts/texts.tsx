/** A text in Markdown that the service does not render: its words, without the marks. */
export function Texts({ of }: { readonly of: string }) {
  const paragraphs = of
    .split(/\n{2,}/)
    .map((text) =>
      text
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/^(#+|>) +/gm, '')
        .replace(/(\*\*|__|~~|`)(.+?)\1/g, '$2')
        .trim(),
    )
    .filter((text) => text !== '')
  return (
    <div className="prose" dir="auto">
      {paragraphs.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no name of their own, and stay in their order
        <p key={at}>{text}</p>
      ))}
    </div>
  )
}
