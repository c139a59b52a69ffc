import { usePart, useStudio } from './studio';

/** What was said last, in front of the stage; what was said before it is behind a button. */
export function Messages() {
  const { app } = useStudio();
  const messages = usePart((state) => state.messages);
  const folded = messages.filter((message) => message.folded === true).length, open = messages.length - folded;
  return (
    <div class="messages" role="log" aria-label="Messages">
      {messages.filter((message) => message.folded !== true).map(({ id, kind, text }) => (
        <div key={id} class={`message ${kind}`} role={kind === 'error' ? 'alert' : undefined}>
          <span>{text}</span>
          <button onClick={() => app.dismiss(id)} aria-label="Dismiss">✕</button>
        </div>
      ))}
      {(folded > 0 || open > 1) && (
        <div class="buttons">
          {folded > 0 && <button onClick={() => app.unfold()} title="What was said before">{folded} {folded === 1 ? 'message' : 'messages'}</button>}
          <button onClick={() => app.dismissAll()}>Close all</button>
        </div>
      )}
    </div>
  );
}
