// The background: lighter in the middle. Its colours are reckoned at a few points and go to the screen as they are, without
// the arithmetic of light, since it covers most of the picture and the processor may have to draw it.
import { Color, LinearSRGBColorSpace, Mesh, PlaneGeometry, ShaderMaterial } from "three";

export class Backdrop {
  readonly mesh: Mesh;
  private readonly material = new ShaderMaterial({
    depthTest: false, depthWrite: false,
    uniforms: { inner: { value: new Color() }, outer: { value: new Color() } },
    vertexShader: /* glsl */ `
      uniform vec3 inner; uniform vec3 outer;
      varying vec3 vColor;
      void main() {
        vec2 place = 0.5 * position.xy + 0.5;
        float away = clamp((length(place - vec2(0.5, 0.6)) - 0.04) / 0.8, 0.0, 1.0);
        vColor = mix(inner, outer, away);
        gl_Position = vec4(position.xy, 1.0, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec3 vColor;
      void main() { gl_FragColor = vec4(vColor, 1.0); }`,
  });

  constructor() {
    this.mesh = new Mesh(new PlaneGeometry(2, 2, 16, 16), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -100;
  }

  setColors(inner: string, outer: string): void {
    this.material.uniforms.inner.value.setStyle(inner, LinearSRGBColorSpace);
    this.material.uniforms.outer.value.setStyle(outer, LinearSRGBColorSpace);
  }
}
