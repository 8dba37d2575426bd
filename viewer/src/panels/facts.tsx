// A list of words and what they are.

export function Facts({ facts }: { facts: [string, string][] }) {
  return (
    <dl class="facts">
      {facts.map(([what, is]) => (
        <>
          <dt>{what}</dt>
          <dd>{is}</dd>
        </>
      ))}
    </dl>
  );
}
