/** The same function, which computes each answer once. */
export function remember<Answer>(compute: (question: string) => Answer): (question: string) => Answer {
  const answers = new Map<string, { readonly answer: Answer }>();
  return (question) => {
    const known = answers.get(question) ?? { answer: compute(question) };
    answers.set(question, known);
    return known.answer;
  };
}
